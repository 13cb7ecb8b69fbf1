import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The behaviour of a test card's bank. */
export interface SimCard {
  /** `pares_status` of the lookup; `not-enrolled` and `bypassed` have none. */
  threeds: 'Y' | 'A' | 'U' | 'N' | 'R' | 'C' | 'not-enrolled' | 'bypassed';
  /** The response code of ISO 8583, field 39. */
  responseCode?: string;
  brand?: 'Visa' | 'Mastercard';
}

/** Numbers of Cardinal's test cards, and others for the bank's answers to the payment. */
export const VERIFONE_CARDS = {
  good: '4000000000001000',
  challenged: '4000000000001091',
  failed: '4000000000001018',
  attempted: '4000000000001026',
  unavailable: '4000000000001034',
  rejected: '4000000000001042',
  bypassed: '4000000000001083',
  'not-enrolled': '4000000000001059',
  mastercard: '5200000000001005',
  refused: '4111111111111111',
  'no-funds': '4012888888881881',
  expired: '4222222222222220',
  stolen: '4917610000000000',
  'authenticate-again': '4484070000000000',
} as const;
export type VerifoneCard = keyof typeof VERIFONE_CARDS;

const BANKS: Readonly<Record<VerifoneCard, SimCard>> = {
  good: { threeds: 'Y' },
  challenged: { threeds: 'C' },
  failed: { threeds: 'N' },
  attempted: { threeds: 'A' },
  unavailable: { threeds: 'U' },
  rejected: { threeds: 'R' },
  bypassed: { threeds: 'bypassed' },
  'not-enrolled': { threeds: 'not-enrolled' },
  mastercard: { threeds: 'Y', brand: 'Mastercard' },
  refused: { threeds: 'Y', responseCode: '05' },
  'no-funds': { threeds: 'Y', responseCode: '51' },
  expired: { threeds: 'Y', responseCode: '54' },
  stolen: { threeds: 'Y', responseCode: '43' },
  'authenticate-again': { threeds: 'Y', responseCode: '1A' },
};

export function bankOf(number: string): SimCard | null {
  const found = Object.entries(VERIFONE_CARDS).find(([, known]) => known === number);
  return found ? BANKS[found[0] as VerifoneCard] : null;
}

/** One payment with 3-D Secure, up to its result. */
export interface SimAuthentication {
  id: string;
  transactionId: string;
  number: string;
  amount: number;
  currency: string;
  reference: string;
  /** The result that the payment must repeat. */
  result: Record<string, string>;
  /** The driver's act; null: not yet, or no challenge. */
  act: 'accept' | 'refuse' | null;
  responseJwt: string | null;
}

/** A row of the list of transactions. */
export interface SimTransaction {
  id: string;
  parentId: string | null;
  key: string | null;
  type: 'SALE' | 'REFUND' | 'CANCEL' | 'VOID';
  status: string;
  /** Minor units. */
  amount: number;
  currency: string;
  reference: string;
  description: string | null;
  number: string;
  authorization: string;
  code: string;
  at: Date;
}

export interface SimToken {
  token: string;
  number: string;
  reference: string;
  scheme: string;
}

/** The tokens, authentications and bookings of a simulated Verifone. */
export class VerifoneBooks {
  /** Device sessions by the JWT that opened them. `used`: a lookup has used it. */
  readonly sessions = new Map<string, { id: string; used: boolean }>();
  readonly authentications: SimAuthentication[] = [];
  readonly transactions: SimTransaction[] = [];
  readonly tokens: SimToken[] = [];
  /** A capture is settled at once. False: it is only requested, and cannot be refunded yet. */
  isSettled = true;
  /** Its clock. */
  now = () => new Date();
  #newestJwt: string | null = null;

  createJwt(): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = part({ alg: 'HS256', typ: 'JWT' });
    const jwt = `${head}.${part({ jti: randomUUID() })}.${randomBytes(32).toString('base64url')}`;
    this.#newestJwt = jwt;
    this.sessions.set(jwt, { id: `0_${randomUUID()}`, used: false });
    return jwt;
  }

  /** Records that the browser's script has been set up. Null: the JWT is unknown. */
  openSession(jwt = this.#newestJwt): string | null {
    return this.sessions.get(jwt ?? '')?.id ?? null;
  }

  authenticate(card: { number: string } & Pick<SimAuthentication, 'amount' | 'currency' | 'reference'>) {
    const bank = bankOf(card.number);
    const isVisa = bank?.brand !== 'Mastercard';
    const eci = { full: isVisa ? '05' : '02', attempted: isVisa ? '06' : '01', none: isVisa ? '07' : '00' };
    const authentication: SimAuthentication = {
      id: randomUUID(),
      transactionId: randomBytes(10).toString('hex'),
      ...card,
      act: null,
      responseJwt: null,
      result: lookupResult(bank?.threeds ?? 'N', eci),
    };
    this.authentications.push(authentication);
    return authentication;
  }

  /** The driver at the bank's page. */
  answer(transactionId: string, act: 'accept' | 'refuse'): SimAuthentication | null {
    const found = this.authentications.find((each) => each.transactionId === transactionId);
    if (found?.result['pares_status'] !== 'C') return null;
    found.act = act;
    found.responseJwt = `response.${randomBytes(24).toString('base64url')}.${randomBytes(24).toString('base64url')}`;
    return found;
  }

  /** The result of a challenge; the payment repeats it. */
  conclude(authentication: SimAuthentication): Record<string, string> {
    const isGood = authentication.act === 'accept';
    const result: Record<string, string> = isGood
      ? { pares_status: 'Y', eci_flag: '05', cavv: cavv(), signature_verification: 'Y' }
      : { pares_status: 'N', eci_flag: '07', signature_verification: 'Y' };
    if (authentication.result['pares_status'] === 'C')
      authentication.result = { ...authentication.result, ...result };
    return authentication.result;
  }

  add(fields: Omit<SimTransaction, 'id' | 'at' | 'authorization'>): SimTransaction {
    const authorization = String(randomInt(100_000, 999_999));
    const transaction = { ...fields, id: randomUUID(), at: this.now(), authorization };
    this.transactions.push(transaction);
    return transaction;
  }

  storeCard(number: string): SimToken {
    const token = {
      token: randomUUID(),
      number,
      reference: randomUUID(),
      scheme: randomBytes(8).toString('hex'),
    };
    this.tokens.push(token);
    return token;
  }

  payments(): SimTransaction[] {
    return this.transactions.filter(({ type, status }) => type === 'SALE' && status !== 'DECLINED');
  }

  refundedOf(id: string): number {
    const refunds = this.transactions.filter(({ type, parentId }) => type === 'REFUND' && parentId === id);
    return refunds.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Taken and not given back. */
  taken(): number {
    const standing = this.payments().filter(({ status }) => status !== 'REVERSED' && status !== 'CANCELLED');
    return standing.reduce((sum, { id, amount }) => sum + amount - this.refundedOf(id), 0);
  }
}

function cavv(): string {
  return randomBytes(20).toString('base64');
}

function lookupResult(
  threeds: SimCard['threeds'],
  eci: { full: string; attempted: string; none: string },
): Record<string, string> {
  const version = { threeds_version: '2.2.0', ds_transaction_id: randomUUID() };
  const signed = { enrolled: 'Y', signature_verification: 'Y', ...version };
  switch (threeds) {
    case 'Y':
      return { ...signed, pares_status: 'Y', eci_flag: eci.full, cavv: cavv() };
    case 'A':
      return { ...signed, pares_status: 'A', eci_flag: eci.attempted, cavv: cavv() };
    case 'C':
      return { enrolled: 'Y', pares_status: 'C', ...version };
    case 'U':
    case 'N':
    case 'R':
      return { ...signed, pares_status: threeds, eci_flag: eci.none };
    case 'not-enrolled':
      return { enrolled: 'N', eci_flag: eci.none };
    case 'bypassed':
      return { enrolled: 'B', eci_flag: eci.none };
    default:
      return threeds satisfies never;
  }
}
