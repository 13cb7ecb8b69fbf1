import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { RefusedInput } from '../../platform/refused.ts';

/** The most rows of one file: they are stored in one transaction. */
export const MAX_FILE_ROWS = 20_000;
/** Of more mistakes, a file names the first. */
export const MAX_FILE_MISTAKES = 20;

/**
 * What a row of a settlement file is. `chargeback-reversed`: the money of a chargeback is here again. `payout-failed`: a
 * payout came back. `adjustment`: anything else that changes the sum.
 */
export const SETTLEMENT_ROW_KINDS = [
  'sale',
  'refund',
  'refund-reversed',
  'chargeback',
  'chargeback-reversed',
  'fee',
  'payout-failed',
  'adjustment',
] as const;
export type SettlementRowKind = (typeof SETTLEMENT_ROW_KINDS)[number];

export interface SettlementRow {
  /** Its line in the file. */
  line: number;
  kind: SettlementRowKind;
  /** The provider's name of the payment; null: the row belongs to none, or the file does not name it. */
  reference: string | null;
  /** The provider's name of the refund, the chargeback or the fee itself. */
  ownReference: string | null;
  /** What we named it to the provider. */
  merchantReference: string | null;
  authorisation: string | null;
  terminal: string | null;
  lastFour: string | null;
  method: string | null;
  /** Null: the file has only the day. */
  at: UtcTime | null;
  /** The day in the time zone of the file. */
  bookedOn: string;
  currency: string;
  /** What moved; negative: it went out. */
  grossMinor: number;
  /** What the provider keeps of it; negative: it gives a fee back. */
  feeMinor: number;
}

/** `carried`: negative, and goes into the next batch. `open`: there is no payout yet. */
export const BATCH_STATES = ['paid', 'failed', 'carried', 'open'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** What a provider pays out at once. */
export interface SettlementBatch {
  /** The account as the file names it; null: it does not. */
  account: string | null;
  reference: string;
  currency: string;
  state: BatchState;
  /** The day of the payout by the file; null: there is none, or the file does not name it. */
  paidOn: string | null;
  /** What reaches the bank; negative: what the provider takes from it. */
  payoutMinor: number;
  /** The balance that comes from the batch before, and the one that goes into the next. */
  carriedInMinor: number;
  carriedOutMinor: number;
  /** What the rows differ from the payout by the rounding of fractions. */
  roundingMinor: number;
  rows: SettlementRow[];
}

export interface BankEntry {
  /** Its line, or its number in the statement. */
  line: number;
  /** Positive: a credit. */
  amountMinor: number;
  bookedOn: string;
  valueOn: string | null;
  /** It takes back an earlier entry. */
  isReversal: boolean;
  /** The bank's name of the entry. */
  reference: string | null;
  endToEndId: string | null;
  counterpart: string | null;
  text: string | null;
  /** The transactions of a collected entry; null: the bank does not say. */
  transactions: number | null;
}

export interface BankStatement {
  account: string | null;
  reference: string;
  currency: string;
  from: string;
  until: string;
  /** Null: the file does not say. */
  openingMinor: number | null;
  closingMinor: number | null;
  entries: BankEntry[];
}

export const FILE_FORMATS = ['adyen', 'stripe', 'mapped', 'camt.053', 'iobws'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A file as it was read. Its sums are checked; what a person should know of it stands in the warnings. */
export type FileContent = {
  format: FileFormat;
  warnings: Mistake[];
} & ({ kind: 'settlement'; batches: SettlementBatch[] } | { kind: 'bank'; statements: BankStatement[] });

export type ReadFile = { ok: true; content: FileContent } | RefusedInput;
