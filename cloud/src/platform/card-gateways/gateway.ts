import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import type { Card } from './card.ts';

/** One attempt to take money: an intent that is stored already. */
export interface GatewayOrder {
  /**
   * The id of the payment, new for each attempt. It is the correlation id and the idempotency key at the
   * provider.
   */
  id: string;
  /** The amount in the currency's minor unit. Each adapter converts it to what its provider expects. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  language: Language;
  /** The address for the receipt and for 3-D Secure; null: not known. */
  email: string | null;
  createdAt: UtcTime;
}

/**
 * The data that an adapter must remember of a payment or a refund between two calls, such as the ids and
 * results of 3-D Secure. Stored with the payment or the refund, so it never contains a card number, a
 * security code or an encrypted card.
 */
export type GatewayState = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Stores what an adapter must remember of a charge or a refund, in place of the former state. If the provider
 * has no look-up for a request, the adapter stores the request first and then sends it. Every process that
 * deals with the payment or the refund afterwards gets this state.
 *
 * @returns once it is durable; false: the time of this process is over and another one may be at work. Then
 *   nothing is stored, and nothing may be sent any more
 */
export type StoreState = (state: GatewayState) => Promise<boolean>;

/** The card that pays. Only a token may be stored; the others live in memory for one request. */
export type CardSource =
  | { kind: 'card'; card: Card }
  /** Encrypted in the browser with the provider's key. */
  | { kind: 'encrypted'; encryptedCard: string; publicKeyAlias: string }
  /** A card that the provider stores for us. */
  | { kind: 'token'; token: string };

/** The driver's browser, as 3-D Secure describes it. */
export interface Browser {
  ip: string;
  userAgent: string;
  acceptHeader: string;
  language: string;
  screenWidth?: number;
  screenHeight?: number;
  colorDepth?: number;
  /** Minutes, as `Date.getTimezoneOffset`. */
  timeZoneOffset?: number;
}

/** How the driver proves to the bank to be the holder of the card. */
export type Challenge =
  /** A form that the browser posts to the bank. The bank's answer comes as a form to `returnUrl`. */
  | { kind: 'form'; form: ChallengeForm }
  /** The provider's script on the page carries it out, and gives the page a token to verify. */
  | { kind: 'script'; acsUrl: string; payload: string; transactionId: string };

export interface ChallengeForm {
  /** A whole page that does the same; null: the provider sends none. */
  html: string | null;
  url: string;
  fields: readonly { name: string; value: string }[];
  /** Addresses of scripts that the form needs. */
  scripts: readonly string[];
}

/** Why a payment is declined. The words for drivers are in the page; `security` is never explained to them. */
export type DeclineReason =
  | 'refused'
  | 'insufficient-funds'
  | 'card-data'
  | 'card-expired'
  | 'card-unsupported'
  | 'security'
  | 'not-authenticated'
  | 'stopped'
  | 'merchant'
  | 'other';

/** The charge was declined and not booked. `code`: the provider's own. */
export interface Declined {
  kind: 'declined';
  reason: DeclineReason;
  code: string | null;
}

/** The provider cannot be reached or is busy, and certainly has not booked anything: another try is safe. */
export interface Unavailable {
  kind: 'unavailable';
  problem: string;
}

/** The result of a step of 3-D Secure. */
export type Authentication =
  /** The charge may follow. */
  | { kind: 'authenticated'; state: GatewayState }
  | { kind: 'challenge'; challenge: Challenge; state: GatewayState }
  | Declined
  | Unavailable;

/** How a payment begins at the provider. */
export type Beginning =
  /** The browser encrypts the card with these, and `authenticate` follows. */
  { kind: 'tokens'; tokens: Readonly<Record<string, string>>; state: GatewayState } | Authentication;

/** A payment that the provider has booked, without anything secret. */
export interface GatewayTransaction {
  /** Identifies it at the provider. */
  transactionId: string;
  /** The bank's authorisation code. */
  authorizationId: string | null;
  amountMinor: number;
  currency: string;
  card: ReceiptCard;
  /** Other data that a refund needs, such as an acquirer's reference number. */
  state: GatewayState;
}

export type ChargeOutcome =
  | { kind: 'approved'; transaction: GatewayTransaction; token?: StoredToken }
  | Declined
  /** The bank requires 3-D Secure, or requires it again: nothing was booked. */
  | { kind: 'authenticate-again'; code: string }
  | Unavailable
  /** It is uncertain whether it was booked: call `findOut`, and do not charge again. */
  | { kind: 'unknown'; problem: string };

/** A card that the provider stores. */
export interface StoredToken {
  token: string;
  card: ReceiptCard;
  /** `YYYY-MM`; null: the provider does not report it. */
  expires: string | null;
}

/** A provider's report about a payment of unknown outcome. */
export type Finding =
  /** `token`: of a card that it has stored with the payment, where its look-up names it. */
  | { kind: 'booked'; transaction: GatewayTransaction; token?: StoredToken }
  | { kind: 'not-booked' }
  /** It was booked, and the provider has taken it back, at the latest by this call. */
  | { kind: 'reversed' }
  /** Call again later. */
  | { kind: 'unavailable'; problem: string }
  /** The provider has no way to find it out. */
  | { kind: 'needs-person'; problem: string };

/** A refund that may have reached the provider is never `not-possible`: the money may have gone back. */
export type RefundOutcome =
  /** `isAll`: the provider gave back all that was left, although less was ordered. */
  | { kind: 'refunded'; isAll?: true }
  /** It was refunded before, by this id or by hand. */
  | { kind: 'already-refunded' }
  /** The provider certainly has not refunded it, and will not. */
  | { kind: 'not-possible'; code: string }
  /** The provider has accepted it, and will report later whether it was done. Call again with the same id. */
  | { kind: 'pending' }
  /** Call again with the same id: that gives nothing back a second time. */
  | { kind: 'unknown'; problem: string }
  /** It may have been refunded, and neither a question nor another call finds it out: a person must look. */
  | { kind: 'unclear'; problem: string };

/** A request that a provider sends to us. */
export interface GatewayMessage {
  /** The body as received, before it is parsed. */
  body: string;
  header(name: string): string | null;
}

/** A provider's report of a chargeback. */
export interface GatewayChargeback {
  transactionId: string;
  /** The provider's, of the chargeback. */
  reference: string;
  amountMinor: number;
  currency: string;
  reasonCode: string;
  /** The last day to send evidence, `YYYY-MM-DD`; null: none is known. */
  deadline: string | null;
  /** `prevented`: it ended before any money was taken. */
  state: 'open' | 'lost' | 'prevented' | 'won';
}

/** A provider's report of a refund, ordered here or made in its own pages. */
export type GatewayRefund = {
  transactionId: string;
  currency: string;
} & (
  | {
      kind: 'one';
      /** The provider's. */
      reference: string;
      /** Ours, as it was ordered; null: it was made elsewhere. */
      refundId: string | null;
      amountMinor: number;
      state: 'pending' | 'refunded' | 'failed';
    }
  /** All that has gone back of the payment so far, by whomever. */
  | { kind: 'sum'; amountMinor: number }
);

/** A notification that certainly comes from the provider. Both null: it is about something else. */
export interface GatewayEvent {
  /** The provider's: the same event may come several times. */
  id: string;
  chargeback: GatewayChargeback | null;
  refund: GatewayRefund | null;
}

/** Sources that the content policy of the payment page allows for a provider. */
export interface PageSources {
  script: readonly string[];
  connect: readonly string[];
  /** The origins that show the challenge; banks have their own addresses, so this may be `https:`. */
  frame: readonly string[];
  form: readonly string[];
}

/** The result of `gateway diagnose`, which moves no money. */
export interface GatewayDiagnosis {
  /** Null: all is well. */
  problem: string | null;
  /** The tests and their results, a line each. */
  lines: readonly string[];
}

/**
 * An adapter to a card provider. Neutral: nothing here is of one provider. No method throws for what a provider or the
 * network does; none repeats by itself what may have moved money. Answers are checked against their order by the caller
 * (amount, currency) and by the adapter (ids, shape).
 */
export interface CardGateway {
  readonly kind: string;
  readonly pageSources: PageSources;
  /** The form in which the browser sends the card: the card itself, or encrypted by the provider's script. */
  readonly cardInput: 'card' | 'encrypted';
  /**
   * The data of the provider's own card field on the page before a payment: public keys, the address of its
   * script. Absent: the card is typed into the page's fields.
   */
  cardField?(currency: string): Readonly<Record<string, string>>;
  /** Files on this machine that the page's domain serves for the provider, by their names under `/.well-known/`. */
  readonly domainFiles?: Readonly<Record<string, string>>;
  /** The provider can store a card for payments without the driver. */
  readonly storesCards: boolean;
  /**
   * The first call for a payment; moves no money.
   *
   * @param start.source null: the provider needs no card yet (`cardInput` is `encrypted`)
   * @param start.returnUrl where the bank posts its answer to a challenge
   * @param start.storeCard the driver asks the provider to store the card, for payments without the driver
   */
  begin(
    order: GatewayOrder,
    start: { source: CardSource | null; returnUrl: string; browser: Browser; storeCard: boolean },
  ): Promise<Beginning>;
  /** 3-D Secure by tokens: the browser has encrypted the card. Absent: the provider has no such step. */
  authenticate?(
    order: GatewayOrder,
    step: { state: GatewayState; source: CardSource; sessionId: string | null; browser: Browser },
  ): Promise<Authentication>;
  /** The form that the bank has posted to `returnUrl`. Absent: the provider's challenges are not forms. */
  readReturn?(
    order: GatewayOrder,
    step: { state: GatewayState; fields: Readonly<Record<string, string>> },
  ): Promise<Authentication>;
  /** The token that the provider's script gave after a challenge. Absent: the provider's challenges are forms. */
  verify?(order: GatewayOrder, step: { state: GatewayState; threedsToken: string }): Promise<Authentication>;
  /**
   * Moves money. Called at most once for an order.
   *
   * @param step.storeState stores the payment's state; `findOut` gets it
   * @param step.signal once it aborts, no request may be sent or waited for any more, since other processes
   *   look the payment up then. Absent: only the adapter's own timeouts apply
   */
  charge(
    order: GatewayOrder,
    step: {
      signal?: AbortSignal;
      state: GatewayState;
      storeState: StoreState;
      source: CardSource;
      storeCard: boolean;
      /** `merchant`: the driver is not there, and has agreed to such payments before. */
      initiator: 'driver' | 'merchant';
    },
  ): Promise<ChargeOutcome>;
  /**
   * Finds the outcome of a charge after an unknown one. It may be called repeatedly. Some providers can only
   * take the payment back, so it may do that.
   *
   * @param step.storeState stores what the next call must know of this one, whichever process makes it
   * @param step.refundId the id of a refund that it may make: the same at each call
   * @param step.sentBefore no request of the charge was sent after this moment, whichever process made it
   * @param step.signal as for `charge`
   */
  findOut(
    order: GatewayOrder,
    step: {
      state: GatewayState;
      storeState: StoreState;
      refundId: string;
      sentBefore: UtcTime;
      signal?: AbortSignal;
    },
  ): Promise<Finding>;
  /**
   * Refunds the whole or a part. A second call with the same `id` and the stored state refunds nothing more.
   *
   * @param refund.givenMinor the amount of earlier refunds of the payment; absent: unknown
   * @param refund.state the last stored state of this refund; empty: nothing was stored
   * @param refund.signal as for `charge`
   */
  refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: {
      id: string;
      amountMinor: number;
      givenMinor?: number;
      state: GatewayState;
      storeState: StoreState;
      signal?: AbortSignal;
    },
  ): Promise<RefundOutcome>;
  /**
   * Reads a notification that the provider signs in its own way; null: it is not genuine, too old, or cannot be read.
   * Absent: notifications are signed with the gateway's `eventSecret`.
   */
  readEvent?(message: GatewayMessage): GatewayEvent | null;
  /**
   * Forgets a stored card at the provider, where the provider can do that. A card that it does not know is forgotten.
   *
   * @throws Fault: the provider may still have the card
   */
  forget?(token: string): Promise<void>;
  diagnose(): Promise<GatewayDiagnosis>;
}
