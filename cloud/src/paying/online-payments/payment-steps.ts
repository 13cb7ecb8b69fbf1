import type { Clock } from '@hlid/node/clock';
import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { InvoiceStatus } from '@hlid/protocol/records/invoice';
import type { PaymentState, ReceiptCard } from '@hlid/protocol/records/payment';
import type { Logger } from 'pino';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Browser, CardSource, Challenge } from '../../platform/card-gateways/gateway.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Instance } from '../../platform/jobs/cloud-instance.ts';
import type { AuthenticationStep, PayerClaim } from '../../records/online-payments/online-payment-table.ts';
import type { OfferRefusal, PaymentSubject } from './order-payment.ts';

export interface OnlineContext {
  db: Db;
  clock: Clock;
  log: Logger;
  cardGateways: CardGateways;
  /** The sender of commands to the sites. */
  commands: Pick<CommandSender, 'send'>;
  /** How long one process may charge, refund or ask about a payment; absent: two minutes. */
  leaseMs?: number | undefined;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
  /** The address at which people reach the cloud, without a slash at the end. */
  publicUrl: () => string;
}

/** The object of a payment, and its terms. */
export type PaymentOrder = PaymentSubject & PaymentTerms;

export interface PaymentTerms {
  /** A gateway by its id or kind; absent: the site's. */
  provider?: string | undefined;
  /** Null: the provider's script encrypts the card later (`authenticate`). */
  source: CardSource | null;
  browser: Browser;
  language: Language;
  customerId?: string | null;
  payerName?: string | null;
  email?: string | null;
  /** The driver asks the provider to store the card. */
  storeCard?: boolean;
  /** The highest amount: a higher one is refused; absent: any amount. */
  maxMinor?: number;
  /** The path of our own page to go back to after a challenge. */
  backPath?: string | null;
  /** The driver's proof of the stay; absent: none. For callers of the API it follows from who they are. */
  claim?: PayerClaim;
}

/** The next step of the browser or the caller. */
export type NextStep =
  /** Encrypt the card with these, then `authenticate`. */
  | { kind: 'tokens'; tokens: Readonly<Record<string, string>> }
  /** Carry it out, then `finalize`. */
  | { kind: 'challenge'; challenge: Challenge }
  /** `finalize`. */
  | { kind: 'finalize' }
  /** There is no next step: the payment shows how it ended. */
  | { kind: 'none' };

/** The fields of a payment that payers see. */
export interface PaymentView {
  id: string;
  /** The id of the invoice that it pays, or that it has made; the latter has the payment's own id. */
  invoiceId: string;
  /** The reference for `authenticate`, `finalize` and `state`. */
  reference: string;
  /** Null: it pays an invoice. */
  visitId: string | null;
  state: PaymentState;
  invoiceStatus: InvoiceStatus;
  /** How far 3-D Secure is. */
  step: AuthenticationStep;
  /** Its outcome could not be found out. */
  needsPerson: boolean;
  /** A code: why it was declined, cancelled or reversed. */
  reason: string | null;
  amountMinor: number;
  currency: string;
  transaction: { transactionId: string; authorizationId: string | null } | null;
  card: ReceiptCard | null;
  /** Gives access to `/receipt/{key}` once the payment is settled. */
  receiptKey: string | null;
  expiresAt: UtcTime;
}

export type Stepped =
  | { ok: true; payment: PaymentView; next: NextStep }
  | { ok: false; reason: 'offer'; refusal: OfferRefusal }
  | { ok: false; reason: 'no-gateway' | 'no-card' | 'no-reference' }
  /** A payment of that visit or invoice is under way. `id`: of its invoice. */
  | { ok: false; reason: 'under-way'; id: string }
  /** The provider cannot be reached; nothing was charged, and another payment may be tried. */
  | { ok: false; reason: 'unavailable'; id: string }
  /** The call does not fit this step: such as while a challenge is not passed yet. */
  | { ok: false; reason: 'wrong-step'; step: AuthenticationStep };

/** The bank's form: what the page that answers it shows. */
export type Returned =
  | { ok: true; id: string; state: PaymentState; backPath: string | null }
  | { ok: false; reason: 'no-reference' | 'unavailable' };
