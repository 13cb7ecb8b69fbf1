import { z } from 'zod';
import { BorgunBooks, Refusal, type SimTransaction } from './borgun-books.ts';
import {
  EnrollmentSchema,
  MultiTokenSchema,
  PaymentSchema,
  RefundSchema,
  SecondEnrollmentSchema,
  SingleTokenSchema,
  ValidationSchema,
} from './borgun-requests.ts';
import type { ProviderCall } from './provider-server.ts';

export type BorgunCall =
  | 'single-token'
  | 'multi-token'
  | 'look-at-token'
  | 'disable-token'
  | 'enrollment'
  | 'validation'
  | 'sale'
  | 'reservation'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'look-at-payment';

type Work = ProviderCall<BorgunCall>;

/** The calls of Borgun's Restful Payment Gateway, as its documents describe them, without their transport. */
export class BorgunService {
  readonly books = new BorgunBooks();
  /** The origin of the bank's pages. */
  readonly #origin: () => string;

  constructor(origin: () => string) {
    this.#origin = origin;
  }

  /** Null: there is no such call. Throws where the request is not in the documented form. */
  workOf(method: string, url: string, text: string): Work | null {
    const [, what, id, change] =
      /^\/rpg\/api\/(payment|token\/single|token\/multi|mpi\/v2\/enrollment|mpi\/v2\/validation)(?:\/([\w-]+)(?:\/(\w+))?)?$/.exec(
        url,
      ) ?? [];
    const body = text === '' ? undefined : JSON.parse(text);
    switch (`${method} ${what}${id ? '/id' : ''}${change ? `/${change}` : ''}`) {
      case 'POST token/single':
        return this.#single(SingleTokenSchema.parse(body));
      case 'POST token/multi':
        return this.#multi(MultiTokenSchema.parse(body));
      case 'GET token/single/id':
        return this.#lookAtToken(id ?? '');
      case 'PUT token/single/id/disable':
      case 'PUT token/multi/id/disable':
        return this.#disable(
          what === 'token/single' ? this.books.singleTokens : this.books.multiTokens,
          id ?? '',
        );
      case 'POST mpi/v2/enrollment':
        return this.#enrollment(body);
      case 'POST mpi/v2/validation':
        return this.#validation(ValidationSchema.parse(body));
      case 'POST payment':
        return this.#payment(PaymentSchema.parse(body));
      case 'GET payment/id':
        return { operation: 'look-at-payment', act: () => transactionAnswer(this.books.find(id ?? ''), 200) };
      case 'PUT payment/id/capture':
      case 'PUT payment/id/cancel':
        z.undefined().parse(body);
        return this.#changed(id ?? '', change === 'capture' ? 'capture' : 'cancel');
      case 'PUT payment/id/refund':
        return this.#changed(id ?? '', 'refund', RefundSchema.parse(body ?? {}).PartialAmount);
      default:
        return null;
    }
  }

  #single(request: z.infer<typeof SingleTokenSchema>): Work {
    return {
      operation: 'single-token',
      act: () => {
        const token = this.books.createToken('single', request);
        return { status: 201, body: this.#tokenAnswer(token) };
      },
    };
  }

  #multi(request: z.infer<typeof MultiTokenSchema>): Work {
    return {
      operation: 'multi-token',
      act: () => {
        if ('TokenSingle' in request) throw new Refusal('TokenSingle: not simulated');
        const { PAN, ExpMonth, ExpYear } = request;
        const token = this.books.createToken('multi', request);
        return {
          status: 201,
          body: { Token: token, PAN: masked(PAN), ExpMonth, ExpYear, Enabled: true, VirtualNumber: null },
        };
      },
    };
  }

  #lookAtToken(token: string): Work {
    return {
      operation: 'look-at-token',
      act: () =>
        this.books.singleTokens.has(token)
          ? { status: 200, body: this.#tokenAnswer(token) }
          : { status: 404, body: { Message: 'Not found' } },
    };
  }

  #tokenAnswer(token: string): object {
    const found = this.books.singleTokens.get(token);
    if (!found) throw new Refusal('Token: unknown');
    const { usedBy, enabled, expMonth, expYear } = found;
    return {
      Token: token,
      PAN: masked(found.pan),
      ExpMonth: expMonth,
      ExpYear: expYear,
      Enabled: enabled,
      Used: usedBy !== null,
      ValidUntil: '2099-01-01T00:00:00Z',
      ...(usedBy !== null && { TransactionId: usedBy }),
    };
  }

  #disable(tokens: BorgunBooks['singleTokens'], token: string): Work {
    return {
      operation: 'disable-token',
      act: () => {
        const found = tokens.get(token);
        if (!found) return { status: 404, body: { Message: 'Not found' } };
        found.enabled = false;
        return { status: 200, body: null };
      },
    };
  }

  #enrollment(body: unknown): Work {
    const second = SecondEnrollmentSchema.safeParse(body);
    if (second.success) {
      const { XId, TxId } = second.data;
      return {
        operation: 'enrollment',
        act: () => this.#enrollmentAnswer(this.books.enrollAgain(XId, TxId)),
      };
    }
    const request = EnrollmentSchema.parse(body);
    const { CardDetails, PurchAmount, Exponent, Currency, MD, TermUrl } = request;
    return {
      operation: 'enrollment',
      act: () =>
        this.#enrollmentAnswer(
          this.books.enroll({
            pan: this.books.panOf(CardDetails),
            amount: PurchAmount / 10 ** Exponent,
            exponent: Exponent,
            currency: Currency,
            md: MD,
            termUrl: TermUrl,
          }),
        ),
    };
  }

  #enrollmentAnswer(found: ReturnType<BorgunBooks['enroll']>) {
    const { mdStatus, mpiToken, md, xid, txId, termUrl } = found;
    const body: Record<string, unknown> = {
      ResultStatus: 0,
      MessageId: xid,
      EnrollmentStatus: mdStatus === '2' ? 'N' : 'Y',
      MdStatus: mdStatus,
      MdErrorMessage: '',
      MD: md,
      XId: xid,
      TxId: txId,
      MPIToken: mpiToken,
    };
    if (mdStatus === '50') {
      const data = Buffer.from(JSON.stringify({ threeDSServerTransID: xid })).toString('base64url');
      body['TDSMethodContent'] =
        `<iframe name="m" style="display:none"></iframe><form method="POST" target="m" action="${this.#origin()}/bank/method?a=1&amp;b=2"><input type="hidden" name="threeDSMethodData" value="${data}"></form><script>document.forms[0].submit()</script>`;
    }
    if (mdStatus === '9') {
      const isOld = this.books.isOld(found);
      const name = isOld ? 'PaReq' : 'creq';
      body['RedirectToACSData'] = [
        { Name: 'actionURL', Value: `${this.#origin()}/bank/challenge` },
        { Name: name, Value: Buffer.from(xid).toString('base64url') },
        ...(isOld ? [{ Name: 'MD', Value: md }] : []),
        { Name: 'TermUrl', Value: termUrl },
      ];
      body['RedirectToACSForm'] = '<html><body>the same as a page</body></html>';
    }
    return { status: 200, body };
  }

  #validation(request: z.infer<typeof ValidationSchema>): Work {
    return {
      operation: 'validation',
      act: () => {
        const found = this.books.validate('PARes' in request ? request.PARes : request.CRes);
        const isAuthenticated = found?.mdStatus === '1';
        return {
          status: 200,
          body: {
            XId: found?.xid ?? null,
            MdStatus: found?.mdStatus ?? '97',
            MdErrorMessage: '',
            AuthenticationStatus: isAuthenticated ? 'Y' : 'N',
            ECI: isAuthenticated ? '05' : '07',
          },
        };
      },
    };
  }

  #payment(request: z.infer<typeof PaymentSchema>): Work {
    return {
      operation: request.TransactionType === 'Sale' ? 'sale' : 'reservation',
      act: () => {
        const { TransactionType: type, Amount: amount, Currency, TransactionDate: date, OrderId } = request;
        const paid = this.books.pay({
          type,
          amount,
          currency: Currency,
          date,
          orderId: OrderId,
          method: request.PaymentMethod,
          mpiToken: request.ThreeDSecure?.MpiToken ?? null,
        });
        return transactionAnswer(paid, 201);
      },
    };
  }

  #changed(id: string, what: 'capture' | 'cancel' | 'refund', part?: number): Work {
    return {
      operation: what,
      act: () => {
        const found = this.books.change(id, what, part);
        if (found === null) return { status: 404, body: { Message: 'Not found' } };
        return { status: 200, body: { TransactionId: found.id, ActionCode: '000', Message: null } };
      },
    };
  }
}

function transactionAnswer(found: SimTransaction | null, status: number) {
  if (found === null) return { status: 404, body: { Message: 'Not found' } };
  return {
    status,
    body: {
      TransactionId: found.id,
      TransactionType: found.type,
      Amount: found.amount,
      Currency: found.currency,
      TransactionDate: found.date,
      OrderId: found.orderId,
      AuthCode: found.authCode,
      ActionCode: found.actionCode,
      TransactionStatus: found.status,
      PaymentMethod: { PaymentType: 'Card', PAN: masked(found.pan), CardType: 'Visa', IsDebit: 'N' },
    },
  };
}

const masked = (number: string) => `${number.slice(0, 6)}******${number.slice(-4)}`;
