import { z } from 'zod';
import {
  type Answer,
  badRequest,
  brandOf,
  notFound,
  paymentResult,
  transactionRow,
  VERIFONE_ACCOUNT,
} from './verifone-gateway-answers.ts';
import {
  bankOf,
  type SimAuthentication,
  type SimTransaction,
  VerifoneBooks,
} from './verifone-gateway-books.ts';
import { CardReader } from './verifone-gateway-cards.ts';
import {
  JwtCreateRequest,
  ListQuery,
  LookupRequest,
  type PaymentBody,
  PaymentRequest,
  RefundRequest,
  ValidateRequest,
} from './verifone-gateway-requests.ts';

export type Operation =
  | 'jwt'
  | 'lookup'
  | 'validate'
  | 'pay'
  | 'list'
  | 'read'
  | 'refund'
  | 'void_capture'
  | 'reverse'
  | 'delete-token';

export interface Request {
  operation: Operation;
  /** The id in the path. */
  id: string;
  idempotencyKey: string | null;
  query: Record<string, string>;
  body: unknown;
}

/** Verifone's side of each call: checks the request, and reads and writes the books. */
export class VerifoneService {
  readonly books = new VerifoneBooks();
  readonly cards = new CardReader(() => this.books.tokens);
  readonly complaints: string[] = [];
  /** The origin at which the simulated bank is reached. */
  origin = '';
  /** The next payment is booked twice, as by a defect of the service. */
  booksTwice = false;
  /** The amount that is booked for the next payment, whatever was ordered; null: the ordered amount. */
  booksAmount: number | null = null;

  act(request: Request): Answer {
    switch (request.operation) {
      case 'jwt':
        return this.#parsed(JwtCreateRequest, request, (body) => this.#createJwt(body));
      case 'lookup':
        return this.#parsed(LookupRequest, request, (body) => this.#lookup(body));
      case 'validate':
        return this.#parsed(ValidateRequest, request, (body) => this.#validate(body));
      case 'pay':
        return this.#parsed(PaymentRequest, request, (body) => this.#pay(body, request.idempotencyKey));
      case 'list':
        return this.#list(request.query);
      case 'read':
        return this.#read(request.id);
      case 'refund':
        return this.#parsed(RefundRequest, request, (body) => this.#refund(request, body));
      case 'void_capture':
        return this.#voidCapture(request.id);
      case 'reverse':
        return this.#reverse(request.idempotencyKey);
      case 'delete-token':
        return this.#deleteToken(request.id);
      default:
        return request.operation satisfies never;
    }
  }

  #parsed<Schema extends z.ZodType>(
    schema: Schema,
    { operation, body }: Request,
    work: (body: z.output<Schema>) => Answer,
  ): Answer {
    const parsed = schema.safeParse(body);
    if (parsed.success) return work(parsed.data);
    const fields = parsed.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`);
    this.complaints.push(`${operation}: ${fields.join(', ')}`);
    return badRequest(parsed.error.issues.map(({ path }) => path.join('.')));
  }

  #createJwt({ threeds_contract_id }: z.infer<typeof JwtCreateRequest>): Answer {
    if (threeds_contract_id !== VERIFONE_ACCOUNT.threedsContract) return notFound();
    return { status: 201, body: { jwt: this.books.createJwt(), threeds_contract_id } };
  }

  #lookup(body: z.infer<typeof LookupRequest>): Answer {
    if (body.threeds_contract_id !== VERIFONE_ACCOUNT.threedsContract) return notFound();
    const session = [...this.books.sessions.values()].find(({ id }) => id === body.device_info_id);
    // A JWT, and so its session, is for one payment.
    if (!session || session.used) return badRequest(['device_info_id']);
    const number = this.cards.numberOf(body);
    if (typeof number !== 'string') return number;
    session.used = true;
    const authentication = this.books.authenticate({
      number,
      amount: body.amount,
      currency: body.currency_code,
      reference: body.merchant_reference,
    });
    const isChallenge = authentication.result['pares_status'] === 'C';
    return {
      status: 201,
      body: {
        authentication_id: authentication.id,
        transaction_id: authentication.transactionId,
        error_no: '0',
        error_desc: '',
        card_brand: 'VISA',
        order_id: '8000541123475112',
        ...authentication.result,
        ...(isChallenge && { acs_url: `${this.origin}/acs`, payload: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ' }),
      },
    };
  }

  #validate({ authentication_id, jwt }: z.infer<typeof ValidateRequest>): Answer {
    const authentication = this.books.authentications.find(({ id }) => id === authentication_id);
    if (!authentication) return notFound();
    if (authentication.responseJwt !== jwt) return badRequest(['jwt']);
    const { enrolled: _, ...result } = this.books.conclude(authentication);
    const isGood = authentication.act === 'accept';
    return {
      status: 201,
      body: {
        authentication_id,
        action_code: isGood ? 'SUCCESS' : 'FAILURE',
        error_no: '0',
        error_desc: 'Success',
        validation_result: result,
      },
    };
  }

  #pay(body: PaymentBody, key: string | null): Answer {
    if (body.payment_provider_contract !== VERIFONE_ACCOUNT.paymentProviderContract) return notFound();
    if (!z.uuid().safeParse(key).success) return this.#offend('pay: no idempotency key');
    if (this.books.transactions.some((each) => each.key === key))
      return this.#offend('pay: the key was used');
    const number = this.cards.numberOf(body);
    if (typeof number !== 'string') return number;
    const stored = this.books.tokens.find(({ token }) => token === body.reuse_token);
    const credential = body.stored_credential;
    if (stored && credential?.stored_credential_type !== 'CHARGE') return badRequest(['stored_credential']);
    if (stored && credential?.reference !== stored.reference)
      return badRequest(['stored_credential.reference']);
    const isWithoutDriver =
      credential?.stored_credential_type === 'CHARGE' &&
      credential.processing_model_details.processing_model === 'UNSCHEDULED_CREDENTIAL_ON_FILE';
    const code = isWithoutDriver ? codeOf(number) : this.#verdict(body, number);
    const amount = this.booksAmount ?? body.amount;
    this.booksAmount = null;
    const book = () =>
      this.books.add({
        key,
        parentId: null,
        type: 'SALE',
        code,
        number,
        description: null,
        amount,
        currency: body.currency_code,
        reference: body.merchant_reference,
        status: code === '00' ? this.#settled() : 'DECLINED',
      });
    const payment = book();
    if (this.booksTwice) book();
    this.booksTwice = false;
    return { status: 201, body: { ...paymentResult(payment), ...this.#tokenOf(body, payment) } };
  }

  /** The bank's answer, which also checks what was proved to it. */
  #verdict({ threed_authentication: given, ...body }: PaymentBody, number: string): string {
    if (given === undefined) return '1A';
    const { cavv, pares_status: status } = given;
    if (cavv === undefined) return status === 'Y' || status === 'A' ? '1A' : codeOf(number);
    const proof = this.books.authentications.find(({ result }) => result['cavv'] === cavv);
    if (proof && matches(proof, body, number) && agrees(proof.result, given)) return codeOf(number);
    this.complaints.push('pay: the authentication is of another payment');
    return '63';
  }

  #tokenOf(body: PaymentBody, payment: SimTransaction): object {
    if (body.stored_credential?.stored_credential_type !== 'SIGNUP' || payment.code !== '00') return {};
    if (body.token_preference?.token_scope !== VERIFONE_ACCOUNT.tokenScope) return {};
    const { token, reference, scheme } = this.books.storeCard(payment.number);
    return {
      token_details: {
        reuse_token: token,
        token_status: 'ACTIVE',
        expiry_month: 12,
        expiry_year: 2030,
        last_four: payment.number.slice(-4),
        brand: brandOf(payment).toUpperCase(),
      },
      stored_credential: { reference, scheme_reference: scheme },
    };
  }

  #list(given: Record<string, string>): Answer {
    const query = ListQuery.safeParse(given);
    if (!query.success) return this.#offend(`list: ${query.error.issues.map(({ path }) => path.join('.'))}`);
    const { merchant_reference: reference, transaction_type: type, _limit: limit = 50 } = query.data;
    const key = query.data['x-vfi-api-idempotencykey'];
    const until = query.data.created_end ? Date.parse(query.data.created_end) : this.books.now().getTime();
    const from = query.data.created_start ? Date.parse(query.data.created_start) : until - 7 * 86_400_000;
    if (until - from > 31 * 86_400_000 || until < from) return badRequest(['created_start']);
    const rows = this.books.transactions.filter(
      (each) =>
        (key === undefined || each.key === key) &&
        (reference === undefined || each.reference === reference) &&
        (type === undefined || each.type === type) &&
        each.at.getTime() >= from &&
        each.at.getTime() <= until,
    );
    return { status: 200, body: rows.slice(0, limit).map((each) => transactionRow(each, 'number')) };
  }

  #read(id: string): Answer {
    const found = this.books.transactions.find((each) => each.id === id);
    return found ? { status: 200, body: transactionRow(found, 'text') } : notFound();
  }

  #refund({ id, idempotencyKey }: Request, { amount, reason }: z.infer<typeof RefundRequest>): Answer {
    const payment = this.books.transactions.find((each) => each.id === id && each.type === 'SALE');
    if (!payment) return notFound();
    if (payment.status !== 'SETTLED' && payment.status !== 'PARTIALLY_REFUNDED') return badRequest(['id']);
    const refunded = this.books.refundedOf(id) + amount;
    if (refunded > payment.amount) return badRequest(['amount']);
    payment.status = refunded === payment.amount ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    const refund = this.#child(payment, 'REFUND', { amount, description: reason ?? null });
    refund.key = idempotencyKey;
    refund.status = 'REFUNDED';
    return { status: 201, body: { ...paymentResult(refund), status: 'REFUNDED' } };
  }

  #voidCapture(id: string): Answer {
    const payment = this.books.transactions.find((each) => each.id === id && each.type === 'SALE');
    if (!payment) return notFound();
    if (payment.status !== 'SETTLEMENT_REQUESTED') return badRequest(['id']);
    payment.status = 'CANCELLED';
    const voided = this.#child(payment, 'VOID', { amount: payment.amount, description: null });
    return { status: 201, body: { ...paymentResult(voided), status: 'SETTLEMENT_CANCELLED' } };
  }

  #reverse(key: string | null): Answer {
    if (!z.uuid().safeParse(key).success) return this.#offend('reverse: no idempotency key');
    const payment = this.books.payments().find((each) => each.key === key);
    if (!payment) return notFound();
    if (payment.status === 'REVERSED') return badRequest(['x-vfi-api-idempotencykey']);
    payment.status = 'REVERSED';
    const reversal = this.#child(payment, 'CANCEL', { amount: payment.amount, description: null });
    return { status: 201, body: { id: reversal.id, status: 'AUTHORISED' } };
  }

  #deleteToken(token: string): Answer {
    const at = this.books.tokens.findIndex((each) => each.token === token);
    if (at < 0) return notFound();
    this.books.tokens.splice(at, 1);
    return { status: 204, body: null };
  }

  #child(
    { id, currency, reference, number }: SimTransaction,
    type: SimTransaction['type'],
    fields: { amount: number; description: string | null },
  ): SimTransaction {
    const status = 'AUTHORISED';
    return this.books.add({
      key: null,
      parentId: id,
      type,
      status,
      code: '00',
      currency,
      reference,
      number,
      ...fields,
    });
  }

  #settled(): string {
    return this.books.isSettled ? 'SETTLED' : 'SETTLEMENT_REQUESTED';
  }

  #offend(what: string): Answer {
    this.complaints.push(what);
    return badRequest(['request']);
  }
}

function matches(proof: SimAuthentication, body: Omit<PaymentBody, 'threed_authentication'>, number: string) {
  const { amount, currency_code: currency, merchant_reference: reference } = body;
  const isSamePayment =
    proof.amount === amount && proof.currency === currency && proof.reference === reference;
  return isSamePayment && proof.number === number;
}

/** Every field of the authentication is repeated as it was given. */
function agrees(result: Record<string, string>, given: object): boolean {
  return Object.entries(given).every(([name, value]) => value === undefined || result[name] === value);
}

function codeOf(number: string): string {
  const bank = bankOf(number);
  return bank ? (bank.responseCode ?? '00') : '14';
}
