import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { isCardNumber } from '@hlid/protocol/base/card-number';
import type {
  CardSale,
  CreateVirtualCard,
  PartRefund,
  RefundWithCorrelationId,
  Verification,
  VirtualCardSale,
} from './valitor-gateway-requests.ts';

/** The behaviour of a card: the bank's answer to a sale, and whether and how it supports 3-D Secure. */
interface CardScript {
  saleCode: string;
  mdStatus: 1 | 2 | 4;
  challenged: boolean;
}

/** The first two are in the documents; the others follow their example. Any other card is as the first. */
export const VALITOR_CARDS = {
  frictionless: '2223000010246699',
  challenged: '2223000010311873',
  attempted: '4111111111111111',
  notEnrolled: '4176669999000104',
  /** A card issued where strong authentication is not required, and not enrolled. */
  fromAbroad: '4012888888881881',
  refused: '4000000000000002',
  noFunds: '4000000000000010',
  expired: '4000000000000028',
  stolen: '4000000000000036',
  authenticateAgain: '4000000000000044',
} as const;

const SCRIPTS: Readonly<Record<string, Partial<CardScript>>> = {
  [VALITOR_CARDS.challenged]: { challenged: true },
  [VALITOR_CARDS.attempted]: { mdStatus: 4 },
  [VALITOR_CARDS.notEnrolled]: { mdStatus: 2 },
  [VALITOR_CARDS.fromAbroad]: { mdStatus: 2 },
  [VALITOR_CARDS.refused]: { saleCode: '01' },
  [VALITOR_CARDS.noFunds]: { saleCode: '51' },
  [VALITOR_CARDS.expired]: { saleCode: '54' },
  [VALITOR_CARDS.stolen]: { saleCode: '43' },
  [VALITOR_CARDS.authenticateAgain]: { saleCode: '1A' },
};

const scriptOf = (cardNumber: string): CardScript => ({
  saleCode: '00',
  mdStatus: 1,
  challenged: false,
  ...SCRIPTS[cardNumber],
});

/** One verification, up to the bank's answer and its use in a sale. */
export interface BankVerification {
  id: string;
  request: Verification;
  script: CardScript;
  /** The contents of the return form; null: the driver is still at the bank. */
  result: { mdStatus: string; cavv: string; xid: string; dsTransId: string } | null;
  used: boolean;
}

export interface BookedPayment {
  correlationId: string;
  cardNumber: string;
  amount: number;
  currency: string;
  at: Date;
  acquirerReferenceNumber: string;
  transactionID: string;
  authorizationCode: string;
  /** The refunds by correlation id. */
  refunds: Map<string, number>;
}

/** A response code, and the payment that it is about where money moved. */
export type Booking = { code: string; payment?: BookedPayment };

/** The names that clients of API version 2.0 send for an mdStatus. */
const MD_NAMES: Readonly<Record<string, string>> = {
  MdFullyAuthenticated: '1',
  MdNotEnrolled: '2',
  MdNotEnrolledCache: '3',
  MdAttempt: '4',
};

const refundedOf = ({ refunds }: BookedPayment) => [...refunds.values()].reduce((sum, one) => sum + one, 0);

/** The provider's books: it, and not the answer to a call, is what a test believes. */
export class ValitorBooks {
  readonly payments: BookedPayment[] = [];
  readonly verifications = new Map<string, BankVerification>();
  readonly #virtualCards = new Map<string, CreateVirtualCard>();
  /** The correlation ids of everything that was booked. */
  readonly #usedIds = new Set<string>();
  /** Cards with a first payment that agreed to later ones. */
  readonly #agreedCards = new Set<string>();
  readonly #now: () => Date;
  #references = randomInt(100_000, 500_000);

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The amount charged in the currency's hundredths, as on the wire. */
  taken(): number {
    return this.payments.reduce((sum, payment) => sum + payment.amount - refundedOf(payment), 0);
  }

  verify(request: Verification): BankVerification {
    const verification = {
      id: randomUUID(),
      request,
      script: scriptOf(request.cardNumber),
      result: null,
      used: false,
    };
    this.verifications.set(verification.id, verification);
    return verification;
  }

  /** The bank's decision. A card that takes no part in 3-D Secure gets no cryptogram. */
  decide(verification: BankVerification, accepted: boolean): void {
    const { mdStatus } = verification.script;
    const hasProof = accepted && mdStatus !== 2;
    verification.result = {
      mdStatus: accepted ? String(mdStatus) : '0',
      cavv: hasProof ? randomBytes(20).toString('base64') : '',
      xid: randomBytes(20).toString('base64'),
      dsTransId: mdStatus === 2 ? '' : randomUUID(),
    };
  }

  sellByCard(sale: CardSale): Booking {
    if (this.#usedIds.has(sale.correlationId)) return { code: 'T3' };
    if (!isCardNumber(sale.cardNumber)) return { code: 'A5' };
    const now = this.#now();
    if (Date.UTC(sale.expirationYear, sale.expirationMonth) <= now.getTime()) return { code: 'A6' };
    if (sale.cvc === undefined) return { code: 'M6' };
    const code = this.#useVerification(sale);
    if (code !== '00') return { code };
    const booking = this.#book(sale, sale.cardNumber);
    if (booking.payment && sale.firstTransactionData) this.#agreedCards.add(sale.cardNumber);
    return booking;
  }

  /** A proof serves one sale, of the same card, amount and currency. */
  #useVerification({ cardVerificationData: data, cardNumber, amount, currency }: CardSale) {
    if (data === undefined) return 'AD';
    const status = MD_NAMES[data.mdStatus] ?? String(data.mdStatus);
    const found = [...this.verifications.values()].find(({ request, result, used }) => {
      const isSame =
        request.cardNumber === cardNumber && request.amount === amount && request.currency === currency;
      if (!isSame || used || result === null || result.mdStatus !== status) return false;
      if (status === '2') return true;
      return result.cavv === data.cavv && result.xid === data.xid && result.dsTransId === data.dsTransId;
    });
    if (found === undefined || !['1', '2', '4'].includes(status)) return 'AD';
    found.used = true;
    return '00';
  }

  sellByVirtualCard(sale: VirtualCardSale): Booking {
    if (this.#usedIds.has(sale.correlationId)) return { code: 'T3' };
    const card = this.#virtualCards.get(sale.virtualCardNumber);
    if (card === undefined) return { code: 'B2' };
    const isMerchants = card.subsequentTransactionType.startsWith('Merchant');
    if (isMerchants && sale.cardVerificationData !== undefined) return { code: 'P1' };
    if (!isMerchants && sale.cardVerificationData === undefined) return { code: '1A' };
    return this.#book(sale, card.cardNumber);
  }

  #book(
    { correlationId, amount, currency }: { correlationId: string; amount: number; currency: string },
    cardNumber: string,
  ): Booking {
    // No price in krónur has aurar.
    if (currency === 'ISK' && amount % 100 !== 0) return { code: 'A9' };
    const { saleCode } = scriptOf(cardNumber);
    if (saleCode !== '00') return { code: saleCode };
    const payment: BookedPayment = {
      correlationId,
      cardNumber,
      amount,
      currency,
      at: this.#now(),
      acquirerReferenceNumber: String(this.#references++),
      // No card's number begins with 1: what is left of it in a database beside other digits is not taken for one.
      transactionID: String(randomInt(100_000_000_000, 199_999_999_999)),
      authorizationCode: String(randomInt(100_000, 999_999)),
      refunds: new Map(),
    };
    this.payments.push(payment);
    this.#usedIds.add(correlationId);
    return { code: '00', payment };
  }

  refundPart(refund: PartRefund): Booking {
    if (this.#usedIds.has(refund.correlationId)) return { code: 'T3' };
    const payment = this.payments.find(
      ({ acquirerReferenceNumber }) => acquirerReferenceNumber === refund.acquirerReferenceNumber,
    );
    if (payment === undefined) return { code: 'T0' };
    const isItsCard =
      'maskedCardNumber' in refund
        ? refund.maskedCardNumber === maskedNumber(payment.cardNumber)
        : this.#virtualCards.get(refund.virtualCardNumber)?.cardNumber === payment.cardNumber;
    if (!isItsCard) return { code: 'T1' };
    if (refund.currency !== payment.currency) return { code: 'A8' };
    if (refundedOf(payment) + refund.amount > payment.amount) return { code: 'A9' };
    return this.#refund(payment, refund.correlationId, refund.amount);
  }

  /** Refunds the whole payment with this correlation id of this day. */
  refundWhole({
    originalCorrelationId,
    originalTransactionDate,
    correlationId,
  }: RefundWithCorrelationId): Booking {
    if (this.#usedIds.has(correlationId)) return { code: 'T3' };
    const payment = this.payments.find(
      (one) =>
        one.correlationId === originalCorrelationId &&
        one.at.toISOString().slice(0, 10) === new Date(originalTransactionDate).toISOString().slice(0, 10),
    );
    if (payment === undefined) return { code: 'T0' };
    if (refundedOf(payment) > 0) return { code: 'T2' };
    return this.#refund(payment, correlationId, payment.amount);
  }

  #refund(payment: BookedPayment, correlationId: string, amount: number): Booking {
    payment.refunds.set(correlationId, amount);
    this.#usedIds.add(correlationId);
    return { code: '00', payment };
  }

  /**
   * Makes a virtual card after a first payment that allowed it, or with a separate proof. Null: the card was
   * not authenticated.
   */
  createVirtualCard(request: CreateVirtualCard): string | null {
    if (!this.#agreedCards.has(request.cardNumber) && request.cardVerificationData === undefined) return null;
    const id = randomUUID();
    this.#virtualCards.set(id, request);
    return id;
  }

  hasVirtualCard(id: string): boolean {
    return this.#virtualCards.has(id);
  }
}

export function maskedNumber(cardNumber: string): string {
  return `${cardNumber.slice(0, 6)}******${cardNumber.slice(-4)}`;
}
