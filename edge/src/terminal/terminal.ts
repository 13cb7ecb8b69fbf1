import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';

/**
 * How a card terminal stands, in the specification's words: no line (DISCONNECTED), a line and no login yet
 * (NOTLOGGEDIN), login refused (LOGINFAILED), ready (CONNECTED), at work (ACTIVE), or unknown (UNKNOWN).
 */
export type TerminalConnection =
  | 'CONNECTED'
  | 'DISCONNECTED'
  | 'ACTIVE'
  | 'NOTLOGGEDIN'
  | 'LOGINFAILED'
  | 'UNKNOWN';

export interface TerminalStatus {
  connection: TerminalConnection;
  /** The terminal's own code, where it gave one. */
  code: string | null;
  /** The problem, in words for a technician; null: none. */
  problem: string | null;
  since: UtcTime;
}

/** The present instruction of the terminal to the driver; the words for each are in `protocol/words`. */
export type TerminalPrompt =
  | 'wait'
  | 'present-card'
  | 'insert-card'
  | 'enter-pin'
  | 'wrong-pin'
  | 'confirm-amount'
  | 'remove-card'
  | 'contacting-bank'
  | 'approved'
  | 'declined'
  | 'see-terminal';

/** One order to take money: an intent that is on the disk already. */
export interface PayOrder {
  /** The id of the intent. */
  id: string;
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  language: Language;
  /** The site takes a tip beside the amount (`tipOf`); absent: another amount is another sale. */
  takesTips?: boolean;
}

/** A payment in the terminal's records, without anything secret. */
export interface TerminalTransaction {
  /** Identifies it at the terminal, such as a receipt number. */
  reference: string;
  terminalId: string;
  amountMinor: number;
  currency: string;
  authorisation: string | null;
  card: ReceiptCard;
  /** The time by the terminal's own clock, in its own format. */
  at: string | null;
  /** Everything else that distinguishes two records, such as trace numbers; no card data. */
  marks: Readonly<Record<string, string>>;
}

/** Why the terminal, or the bank behind it, declined. */
export type DeclineReason =
  | 'refused'
  | 'card-unreadable'
  | 'card-expired'
  | 'card-unsupported'
  | 'wrong-pin'
  | 'no-connection'
  | 'currency'
  | 'amount'
  | 'terminal'
  | 'other';

export type PayOutcome =
  | { kind: 'approved'; transaction: TerminalTransaction; receipt: readonly string[] }
  | { kind: 'declined'; reason: DeclineReason; code: string; receipt: readonly string[] }
  /** The payment was cancelled by the driver or by `cancel`, and nothing was booked. */
  | { kind: 'cancelled'; code: string | null }
  /** The order certainly never reached the terminal: nothing was booked, and another try is safe. */
  | { kind: 'not-sent'; problem: string }
  /** It is unknown whether it was booked: ask `lastResult`, and do not try again. */
  | { kind: 'unknown'; problem: string };

/** The newest payment that the terminal has booked, by its own memory. */
export type LastResult =
  | { kind: 'transaction'; transaction: TerminalTransaction; reversed: boolean }
  /** It has booked none since its last end of day, or ever. */
  | { kind: 'none' }
  /** It is busy or away, or does not answer: ask again later. */
  | { kind: 'unavailable'; problem: string };

/** Counts and sums of a terminal's day by brand, or of `all`, as it reports them; not every terminal counts. */
export interface DayTotals {
  cards: readonly { type: ReceiptCard['type'] | 'all'; count: number | null; amountMinor: number }[];
  currency: string;
  receipt: readonly string[];
}

export interface PayEvents {
  /** Reports the terminal's prompt for the driver; `text` is the terminal's own line, if it sent one. */
  onPrompt(prompt: TerminalPrompt, text: string | null): void;
  /**
   * The terminal has an approval and asks whether it stands. Resolves `true` once it is on the disk. Resolves
   * `false` if the sale is not valid any more (the customer has gone, amount or currency differ); the driver
   * then makes the terminal reverse it. A rejection counts as `false`.
   */
  onApproval(transaction: TerminalTransaction): Promise<boolean>;
}

/** The result of a terminal's test of itself. */
export interface SelfTest {
  problem: string | null;
  /** The lines that it would have printed. */
  lines: readonly string[];
}

/** A card terminal's driver. Neutral: nothing here is of one maker's protocol. One payment at a time. */
export interface Terminal {
  /** Connects and logs in, and keeps trying, in its own time. */
  start(): void;
  /** Leaves the terminal as it should be without us. Resolves when nothing is under way any more. */
  stop(): Promise<void>;
  status(): TerminalStatus;
  /** Called at each change of `status`; returns how to stop that. */
  onStatus(listener: (status: TerminalStatus) => void): () => void;
  /**
   * Connects, or checks the terminal, now and without the pause between two tries; not while a payment is
   * under way. Never throws.
   */
  check(): Promise<void>;
  /** Never throws, and never repeats by itself what may have been booked. */
  pay(order: PayOrder, events: PayEvents): Promise<PayOutcome>;
  /** Requests an abort: the outcome of `pay` reports how the payment ended. */
  cancel(): Promise<void>;
  /** Never repeats by itself what may have been carried out. */
  reverse(transaction: TerminalTransaction): Promise<ReverseOutcome>;
  /**
   * Whether the terminal has reversed what it had booked, by its own memory; null: it does not report it, or
   * not now.
   */
  isReversed(transaction: TerminalTransaction): Promise<boolean | null>;
  lastResult(): Promise<LastResult>;
  /** Closes the terminal's day; null where the terminal did not, with the reason in `problem`. */
  endOfDay(): Promise<{ totals: DayTotals | null; problem: string | null }>;
  /** Its own diagnosis, which moves no money; not every kind has one. */
  diagnose?(): Promise<SelfTest>;
}
