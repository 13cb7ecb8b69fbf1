import { randomInt, randomUUID } from 'node:crypto';

/** How the bank of a card authenticates its holder, and the ActionCode that it answers to a payment. */
interface SimCard {
  /** MdStatus of an enrollment. */
  enrollment: '0' | '1' | '2' | '4' | '5' | '6' | '8' | '9' | '50' | '91';
  /** MdStatus after the method step. */
  afterMethod?: '1' | '9';
  /** The króna has two decimals there; with none it answers MdStatus 5. */
  wantsDecimals?: true;
  /** It answers challenges in the form of 3-D Secure 1. */
  isOld?: true;
  actionCode: string;
}

const CARDS = {
  good: { enrollment: '1', actionCode: '000' },
  challenged: { enrollment: '9', actionCode: '000' },
  'challenged-old': { enrollment: '9', actionCode: '000', isOld: true },
  method: { enrollment: '50', afterMethod: '1', actionCode: '000' },
  'method-challenged': { enrollment: '50', afterMethod: '9', actionCode: '000' },
  'two-decimals': { enrollment: '1', wantsDecimals: true, actionCode: '000' },
  'no-participant': { enrollment: '2', actionCode: '000' },
  attempt: { enrollment: '4', actionCode: '000' },
  'bank-away': { enrollment: '5', actionCode: '000' },
  'bad-message': { enrollment: '6', actionCode: '000' },
  'network-away': { enrollment: '91', actionCode: '000' },
  blocked: { enrollment: '8', actionCode: '000' },
  'not-authenticated': { enrollment: '0', actionCode: '000' },
  refused: { enrollment: '1', actionCode: '100' },
  'no-funds': { enrollment: '1', actionCode: '116' },
  expired: { enrollment: '1', actionCode: '101' },
  stolen: { enrollment: '1', actionCode: '209' },
} satisfies Record<string, SimCard>;
export type SimCardName = keyof typeof CARDS;
const NAMES = Object.keys(CARDS) as SimCardName[];

export function cardNumber(name: SimCardName): string {
  const digits = `41766699990${String(NAMES.indexOf(name)).padStart(4, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function cardOf(pan: string): SimCard | null {
  const name = NAMES.find((each) => cardNumber(each) === pan);
  return name ? CARDS[name] : null;
}

export interface SimTransaction {
  id: string;
  orderId: string;
  type: 'Sale' | 'PreAuthorization';
  /** The amount with two decimals, as in the payment's request. */
  amount: number;
  currency: string;
  date: string;
  status:
    | 'Accepted'
    | 'Uncaptured'
    | 'Captured'
    | 'Declined'
    | 'Cancelled'
    | 'Refunded'
    | 'Unknown'
    | 'Error';
  actionCode: string;
  authCode: string | null;
  pan: string;
  /** Null: it came without one. */
  securityCode: string | null;
  refunded: number;
}

interface SimToken {
  pan: string;
  expMonth: string;
  expYear: string;
  enabled: boolean;
  /** The payment that has used a single-use token; null: none. */
  usedBy: string | null;
}

interface SimAuthentication {
  xid: string;
  txId: string;
  mpiToken: string;
  md: string;
  termUrl: string;
  pan: string;
  /** The amount in whole units of the currency. */
  amount: number;
  currency: string;
  mdStatus: string;
  isUsed: boolean;
}

/** A refusal with Borgun's status 400 and its `Message`. */
export class Refusal extends Error {}

/** The tokens, authentications and bookings of a simulated Borgun. */
export class BorgunBooks {
  readonly transactions: SimTransaction[] = [];
  /** Whether it supports `PartialAmount`; otherwise it refunds the whole amount. */
  knowsParts = true;
  readonly singleTokens = new Map<string, SimToken>();
  readonly multiTokens = new Map<string, SimToken>();
  readonly authentications: SimAuthentication[] = [];
  /** The results that the bank has given to browsers, by their text. */
  readonly #results = new Map<string, { xid: string; accepted: boolean }>();

  createToken(
    kind: 'single' | 'multi',
    { PAN, ExpMonth, ExpYear }: { PAN: string; ExpMonth: string; ExpYear: string },
  ): string {
    if (cardOf(PAN) === null) throw new Refusal('PAN: invalid');
    const token = randomUUID();
    const tokens = kind === 'single' ? this.singleTokens : this.multiTokens;
    tokens.set(token, { pan: PAN, expMonth: ExpMonth, expYear: ExpYear, enabled: true, usedBy: null });
    return token;
  }

  /** The card that pays. A token that cannot pay is refused. */
  panOf(method: { PaymentType: string; PAN?: string; Token?: string }): string {
    if (method.PaymentType === 'Card') return method.PAN ?? '';
    const token = this.#token(method);
    if (!token?.enabled || token.usedBy !== null) throw new Refusal('Token: invalid');
    return token.pan;
  }

  enroll(request: {
    pan: string;
    amount: number;
    currency: string;
    exponent: number;
    md: string;
    termUrl: string;
  }): SimAuthentication {
    const card = cardOf(request.pan);
    if (card === null) throw new Refusal('PAN: invalid');
    const misread = card.wantsDecimals && request.exponent !== 2;
    const { exponent: _, ...kept } = request;
    const authentication = {
      ...kept,
      xid: randomUUID(),
      txId: String(randomInt(1e9)),
      mpiToken: randomUUID(),
      isUsed: false,
      mdStatus: misread ? '5' : card.enrollment,
    };
    this.authentications.push(authentication);
    return authentication;
  }

  enrollAgain(xid: string, txId: string): SimAuthentication {
    const found = this.authentications.find((each) => each.xid === xid && each.txId === txId);
    if (found?.mdStatus !== '50') throw new Refusal('XId: no such enrollment');
    found.mdStatus = cardOf(found.pan)?.afterMethod ?? '1';
    return found;
  }

  isOld({ pan }: SimAuthentication): boolean {
    return cardOf(pan)?.isOld ?? false;
  }

  /** The driver at the bank. */
  decide(xid: string, accepted: boolean): string {
    const result = Buffer.from(JSON.stringify({ acsTransID: randomUUID(), at: randomUUID() })).toString(
      'base64url',
    );
    this.#results.set(result, { xid, accepted });
    return result;
  }

  validate(result: string): SimAuthentication | null {
    const decision = this.#results.get(result);
    const found = this.authentications.find(({ xid }) => xid === decision?.xid);
    if (!decision || !found) return null;
    if (found.mdStatus === '9') found.mdStatus = decision.accepted ? '1' : '0';
    return found;
  }

  /** Books a sale or reserves an amount, or notes that the bank declines it. */
  pay(request: {
    type: SimTransaction['type'];
    amount: number;
    currency: string;
    date: string;
    orderId: string;
    method: { PaymentType: string; PAN?: string; CVC2?: string | undefined; Token?: string };
    mpiToken: string | null;
  }): SimTransaction {
    const { type, amount, currency, date, orderId, method, mpiToken } = request;
    if (this.transactions.some((each) => each.orderId === orderId)) throw new Refusal('OrderId: not unique');
    const pan = this.panOf(method);
    if (mpiToken === null && method.PaymentType !== 'TokenMulti') throw new Refusal('ThreeDSecure: required');
    if (mpiToken !== null) this.#useAuthentication(mpiToken, { pan, amount, currency });
    const actionCode = cardOf(pan)?.actionCode ?? '111';
    const isApproved = actionCode === '000';
    const transaction: SimTransaction = {
      id: randomUUID(),
      orderId,
      type,
      amount,
      currency,
      date,
      actionCode,
      pan,
      refunded: 0,
      securityCode: method.CVC2 ?? null,
      status: !isApproved ? 'Declined' : type === 'Sale' ? 'Accepted' : 'Uncaptured',
      authCode: isApproved ? String(randomInt(100_000, 999_999)) : null,
    };
    this.transactions.push(transaction);
    const token = this.#token(method);
    if (token && method.PaymentType === 'TokenSingle') token.usedBy = transaction.id;
    return transaction;
  }

  find(id: string): SimTransaction | null {
    return this.transactions.find((each) => each.id === id) ?? null;
  }

  change(id: string, what: 'capture' | 'cancel' | 'refund', part?: number): SimTransaction | null {
    const found = this.find(id);
    if (found === null) return null;
    if (what !== 'refund') {
      if (found.status !== 'Uncaptured') throw new Refusal('the transaction is not uncaptured');
      found.status = what === 'capture' ? 'Captured' : 'Cancelled';
      return found;
    }
    const amount = this.knowsParts && part !== undefined ? part : found.amount - found.refunded;
    if (!isTaken(found) || found.refunded + amount > found.amount) throw new Refusal('it cannot be refunded');
    found.refunded += amount;
    if (found.refunded === found.amount) found.status = 'Refunded';
    return found;
  }

  /** Taken and not given back, in krónur. */
  takenMinor(): number {
    const taken = this.transactions.filter(isTaken);
    return taken.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0) / 100;
  }

  charges(): number {
    return this.transactions.filter((each) => isTaken(each) || each.status === 'Refunded').length;
  }

  #token({ PaymentType, Token = '' }: { PaymentType: string; Token?: string }): SimToken | undefined {
    return (PaymentType === 'TokenSingle' ? this.singleTokens : this.multiTokens).get(Token);
  }

  #useAuthentication(mpiToken: string, payment: { pan: string; amount: number; currency: string }): void {
    const found = this.authentications.find((each) => each.mpiToken === mpiToken);
    const isSame =
      found?.pan === payment.pan &&
      found.amount * 100 === payment.amount &&
      found.currency === payment.currency;
    if (!found || !isSame || found.isUsed || ['0', '8', '9', '50'].includes(found.mdStatus)) {
      throw new Refusal('MpiToken: invalid');
    }
    found.isUsed = true;
  }
}

const isTaken = ({ status }: SimTransaction) => status === 'Accepted' || status === 'Captured';
