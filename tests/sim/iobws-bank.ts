import { z } from 'zod';
import {
  matchCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
  readJson,
} from './provider-server.ts';

type Operation = 'create' | 'change' | 'find' | 'history';

const KENNITALA = /^\d{10}$/;
const REQUEST_ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const day = z.iso.date();
const amount = z.number();
const item = z.strictObject({
  chargeType: z.enum(['Percentage', 'Amount']),
  day: z.int().min(0).max(99),
  value: z.number().positive(),
});
const spread = z.strictObject({
  referenceDate: z.enum(['DueDate', 'FinalDueDate']),
  first: item,
  second: item.optional(),
});
const interest = z.strictObject({
  referenceDate: z.enum(['DueDate', 'FinalDueDate']),
  baseAmountType: z.enum(['Amount', 'AmountAndDefaultCharge']),
  baseTimeType: z.enum(['Daily', '360', 'Calendar']),
  percentage: z.number().min(0).max(100).optional(),
});

const KeySchema = z.strictObject({
  claimantId: z.string().regex(KENNITALA),
  account: z.string().regex(/^\d{4}66\d{6}$/),
  dueDate: day,
});

/** `createClaimDetails` of the public description, as far as it is used. */
const CreateSchema = z.strictObject({
  claimKey: KeySchema,
  payorId: z.string().regex(KENNITALA),
  templateCode: z.string().regex(/^[0-9A-Z]{3}$/),
  claimType: z.literal('NormalClaim').optional(),
  amount: amount.positive(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  finalDueDate: day,
  billNumber: z.string().max(7).optional(),
  reference: z.string().max(16).optional(),
  additionalInformation: z.string().max(200).optional(),
  isPartialPaymentAllowed: z.boolean().optional(),
  discount: spread.optional(),
  defaultCharge: spread.optional(),
  defaultInterest: interest.optional(),
});

/** `mergeClaimDetails`: null takes a field away. */
const PatchSchema = z.strictObject({
  claimStatus: z.enum(['Unpaid', 'Cancelled']).optional(),
  amount: amount.positive().optional(),
  currency: z.string().optional(),
  finalDueDate: day.optional(),
  isPartialPaymentAllowed: z.boolean().optional(),
  discount: spread.nullable().optional(),
  defaultCharge: spread.nullable().optional(),
  defaultInterest: interest.nullable().optional(),
});

interface SimEvent {
  transactionType: string;
  transactionDate: string;
  payment?: Record<string, unknown>;
}

/** A claim at the bank. */
export interface SimClaim extends z.infer<typeof CreateSchema> {
  claimId: string;
  status: 'Unpaid' | 'Paid' | 'Cancelled';
  /** What was paid of the amount. */
  paid: number;
  events: SimEvent[];
}

/** A payment at the bank; what is left out is 0. */
export interface SimPayment {
  /** Of the amount of the claim, before the discount. Absent: all that is left. */
  principal?: number;
  discount?: number;
  interest?: number;
  notice?: number;
  defaultCharge?: number;
  bookedOn?: string;
  /** What the bank keeps of the costs. */
  kept?: number;
}

const PATHS: readonly (readonly [RegExp, Operation])[] = [
  [/^POST \/v1\/claims$/, 'create'],
  [/^PATCH \/v1\/claims\/([^/]+)$/, 'change'],
  [/^GET \/v1\/claims\/([^/]+)$/, 'find'],
  [/^GET \/v1\/claims\/([^/]+)\/history$/, 'history'],
];

/** A strict bank by the public IOBWS-Claims3.1.yaml (ÍST TS 315:2025): what it does not describe is refused. */
export class IobwsBankServer extends ProviderServer<Operation> {
  /** What was wrong with the format of requests. */
  readonly complaints: string[] = [];
  readonly claims = new Map<string, SimClaim>();
  readonly token: string;
  #events = 0;

  constructor(token = 'bank-token') {
    super();
    this.token = token;
  }

  /** The payer pays, through any bank. */
  pay(claimId: string, given: SimPayment = {}): void {
    const claim = this.#claim(claimId);
    const principal = given.principal ?? claim.amount - claim.paid;
    const isWhole = claim.paid + principal >= claim.amount;
    claim.paid += principal;
    if (isWhole) claim.status = 'Paid';
    const payment = paymentOf(claim, principal, isWhole, given);
    this.#add(claim, isWhole ? 'Payment' : 'PartialPayment', payment);
  }

  /** The bank takes the last payment back. */
  reverse(claimId: string, bookedOn?: string): void {
    const claim = this.#claim(claimId);
    const last = claim.events.findLast(({ transactionType }) => /^(Partial)?Payment$/.test(transactionType));
    if (last?.payment === undefined) throw new Error('nothing was paid');
    claim.paid -= Number(last.payment['principal']);
    claim.status = 'Unpaid';
    const kind = last.transactionType === 'Payment' ? 'ReversedPayment' : 'ReversedPartialPayment';
    this.#add(claim, kind, { ...last.payment, ...(bookedOn !== undefined && { bookingDate: bookedOn }) });
  }

  /** The payer has it cancelled in the online bank. */
  cancelByPayor(claimId: string): void {
    const claim = this.#claim(claimId);
    claim.status = 'Cancelled';
    this.#add(claim, 'CancellationByPayor');
  }

  /** The only claim. */
  get only(): SimClaim {
    const [claim, ...more] = this.claims.values();
    if (claim === undefined || more.length > 0) throw new Error(`${this.claims.size} claims`);
    return claim;
  }

  #claim(claimId: string): SimClaim {
    const claim = this.claims.get(claimId);
    if (claim === undefined) throw new Error(`no claim ${claimId}`);
    return claim;
  }

  #add(claim: SimClaim, transactionType: string, payment?: Record<string, unknown>): void {
    const transactionDate = new Date(Date.UTC(2026, 10, 21) + ++this.#events * 1000).toISOString();
    claim.events.push({ transactionType, transactionDate, ...(payment !== undefined && { payment }) });
  }

  protected override read(request: ProviderRequest): ProviderCall<Operation> | ProviderAnswer {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${this.token}`) {
      return { status: 401, body: { type: 'about:blank', code: 'TOKEN_UNKNOWN' } };
    }
    const call = matchCall(PATHS, `${method} ${path}`);
    if (call === null || !REQUEST_ID.test(String(headers['x-request-id'] ?? ''))) {
      this.complaints.push(`${method} ${path}`);
      return badRequest('no such path, or no X-Request-ID');
    }
    const claimId = decodeURIComponent(call.id);
    return { operation: call.operation, act: () => this.#act(call.operation, claimId, request) };
  }

  #act(operation: Operation, claimId: string, request: ProviderRequest): ProviderAnswer {
    switch (operation) {
      case 'create':
        return this.#create(request);
      case 'change':
        return this.#change(claimId, request);
      case 'find': {
        const claim = this.claims.get(claimId);
        return claim === undefined ? NOT_FOUND : { status: 200, body: shown(claim) };
      }
      case 'history':
        return this.#history(claimId, request);
      default:
        return operation satisfies never;
    }
  }

  #create({ text }: ProviderRequest): ProviderAnswer {
    const read = CreateSchema.safeParse(readJson(text));
    if (!read.success) return this.#complain(read.error.message);
    const { claimKey, finalDueDate } = read.data;
    if (finalDueDate < claimKey.dueDate) return refusal(claimKey, 'CLAIM_OTHERS', 'finalDueDate');
    const claimId = `${claimKey.claimantId}${claimKey.account}+${claimKey.dueDate.replaceAll('-', '')}`;
    if (this.claims.has(claimId)) return refusal(claimKey, 'CLAIM_EXISTS', 'Claim exists');
    const claim: SimClaim = { ...read.data, claimId, status: 'Unpaid', paid: 0, events: [] };
    this.claims.set(claimId, claim);
    this.#add(claim, 'Creation');
    return { status: 201, body: { success: { claimKey, claimId } } };
  }

  #change(claimId: string, { text }: ProviderRequest): ProviderAnswer {
    const read = PatchSchema.safeParse(readJson(text));
    if (!read.success) return this.#complain(read.error.message);
    const claim = this.claims.get(claimId);
    if (claim === undefined) return NOT_FOUND;
    const { claimKey } = claim;
    if (claim.status === 'Paid') return refusal(claimKey, 'CLAIM_IS_PAID', 'Claim is paid');
    if (claim.status === 'Cancelled') return refusal(claimKey, 'CLAIM_IS_CANCELLED', 'Claim is cancelled');
    const { claimStatus, ...terms } = read.data;
    if (claim.paid > 0 && terms.amount !== undefined && terms.amount !== claim.amount) {
      return refusal(claimKey, 'CLAIM_OTHERS', 'The amount of a paid claim is frozen');
    }
    if (claimStatus === 'Cancelled') {
      claim.status = 'Cancelled';
      this.#add(claim, 'Cancellation');
    } else {
      for (const [name, value] of Object.entries(terms)) {
        if (value === null) delete claim[name as 'discount'];
        else Object.assign(claim, { [name]: value });
      }
      this.#add(claim, 'Update');
    }
    return { status: 201, body: { success: { claimKey, claimId } } };
  }

  #history(claimId: string, { query }: ProviderRequest): ProviderAnswer {
    const claim = this.claims.get(claimId);
    if (claim === undefined) return NOT_FOUND;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('itemsPerPage') ?? 100)];
    const events = claim.events.slice((page - 1) * size, page * size);
    const body = events.map((event) => ({ ...event, claim: shown(claim) }));
    return { status: 200, body };
  }

  #complain(detail: string): ProviderAnswer {
    this.complaints.push(detail);
    return badRequest(detail);
  }
}

function badRequest(detail: string): ProviderAnswer {
  return { status: 400, body: { type: 'about:blank', code: 'FORMAT_ERROR', detail: detail.slice(0, 500) } };
}

const NOT_FOUND: ProviderAnswer = {
  status: 404,
  body: { messages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN', text: 'No such claim' }] },
};

function refusal(claimKey: object, resultCode: string, resultMessage: string): ProviderAnswer {
  return { status: 201, body: { error: { claimKey, resultCode, resultMessage } } };
}

function shown(claim: SimClaim): object {
  const { claimKey, payorId, templateCode, finalDueDate, currency, reference, billNumber } = claim;
  return {
    claimKey,
    payorId,
    templateCode,
    claimStatus: claim.status,
    collectionState: 'PrimaryCollection',
    amount: claim.amount,
    totalAmountDue: claim.amount - claim.paid,
    finalDueDate,
    expirationDate: finalDueDate,
    isPartiallyPaid: claim.paid > 0 && claim.status === 'Unpaid',
    currency,
    reference,
    billNumber,
  };
}

function paymentOf(
  claim: SimClaim,
  principal: number,
  isWhole: boolean,
  { discount = 0, interest: late = 0, notice = 0, defaultCharge = 0, kept = 0, bookedOn }: SimPayment,
): Record<string, unknown> {
  const total = principal - discount + late + notice + defaultCharge;
  const bookingDate = bookedOn ?? '2026-11-23';
  return {
    claimKey: claim.claimKey,
    payorId: claim.payorId,
    principal,
    amount: claim.amount,
    bookingDate,
    valueDate: bookingDate,
    paymentType: isWhole ? 'Complete' : 'Partial',
    depositedAmount: total - kept,
    totalAmountPaid: total,
    noticeChargeAmountPaid: notice,
    defaultChargeAmountPaid: defaultCharge,
    otherCostsAmountPaid: 0,
    otherDefaultCostsAmountPaid: 0,
    defaultInterestAmountPaid: late,
    discountAmountGiven: discount,
  };
}
