import type { EntryMatch, RowMatch } from '../../records/books/money-file-table.ts';
import type { BatchState, SettlementRowKind } from '../files/file-content.ts';

/** What stands beside each other in the close of a day. */
export const DAY_SIDES = [
  'visits',
  'invoices',
  'payments',
  'terminals',
  'providers',
  'claims',
  'bank',
] as const;
export type DaySide = (typeof DAY_SIDES)[number];

/** What a row of a close is: its id is that of such a thing. */
export const DAY_THINGS = [
  'visit',
  'invoice',
  'payment',
  'refund',
  'chargeback',
  'terminal-day',
  'terminal',
  'settlement-row',
  'batch',
  'bank-entry',
  'claim',
  'file',
  'account',
] as const;
export type DayThing = (typeof DAY_THINGS)[number];

/** One figure of one side. It has no plate and no name: a close is kept longer than those. */
export interface DayRow {
  side: DaySide;
  thing: DayThing;
  /** The id of a row of a file is `{file} {n}`. */
  id: string;
  /** A number of an invoice, a brand, a reference of a provider; null: there is none. */
  label: string | null;
  amountMinor: number;
  currency: string;
  /** What it is a part of: rows of one visit are one correction. */
  subject: string;
}

/** A stay that ended on the day and cost something. */
export interface VisitFact {
  id: string;
  currency: string;
  /** What it cost, paid or not. */
  costMinor: number;
  /** What is still due of it. */
  leftMinor: number;
  /** `waived`: a person or a permit let it go without money. `billed`: its customer or owner gets an invoice. */
  state: 'unpaid' | 'paid' | 'billed' | 'waived';
  /** What its invoices and charges ask for, without fees and credit notes; null: it has none. */
  documentsMinor: number | null;
}

/** A row of a settlement file. */
export interface ProviderFact {
  id: string;
  kind: SettlementRowKind;
  match: RowMatch;
  reference: string | null;
  currency: string;
  grossMinor: number;
  feeMinor: number;
  /** What its account has agreed with the provider; null: it is not known. */
  contract: FeeContract | null;
}

export interface FeeContract {
  /** Hundredths of a percent. */
  basisPoints: number;
  fixedMinor: number;
}

/** A movement of money by card, which is to stand in a settlement file too. */
interface Movement {
  id: string;
  amountMinor: number;
  currency: string;
  /** The last day on which a row of it is not late; null: no account has files of it. */
  settledBy: string | null;
  rows: readonly ProviderFact[];
}

export interface PaymentFact extends Movement {
  /** `unknown`: only the terminal or the provider knows the outcome. */
  state: 'settled' | 'unknown';
  /** A stay or an invoice for which it was made is known. */
  hasSubject: boolean;
  /** What its invoice asks for, with what was given in addition; null: it has no invoice. */
  invoicedMinor: number | null;
  invoiceId: string | null;
  /** Its stay was settled elsewhere already. */
  isTwice: boolean;
  visitId: string | null;
}

/** A refund, whole or in part. */
export interface RefundFact extends Movement {
  paymentId: string;
}

export interface ChargebackFact extends Movement {
  paymentId: string;
  reference: string;
}

export interface InvoiceFact {
  id: string;
  number: number | null;
  amountMinor: number;
  currency: string;
  visitId: string | null;
  /** Paid by card, so that there is a payment. */
  needsPayment: boolean;
  hasPayment: boolean;
  /** That of its site. */
  siteCurrency: string | null;
}

/** The end of a day as a terminal reported it. */
export interface TerminalFact {
  id: string;
  terminalId: string;
  currency: string;
  sums: readonly {
    brand: string;
    terminalMinor: number;
    terminalCount: number | null;
    booksMinor: number;
    booksCount: number | null;
  }[];
}

export interface BatchFact {
  id: string;
  reference: string;
  state: BatchState;
  currency: string;
  payoutMinor: number;
  roundingMinor: number;
  /** The last day on which the bank is not late; null: no account at a bank has statements. */
  atBankBy: string | null;
  entries: readonly { id: string; amountMinor: number; match: EntryMatch }[];
}

/** An entry of a bank that is no payout of a provider that we know. */
export interface BankFact {
  id: string;
  amountMinor: number;
  currency: string;
  reference: string | null;
  isReversal: boolean;
  /** It pays a claim. */
  isClaim: boolean;
}

/** A payment of a claim at the bank, or its reversal. */
export interface ClaimFact {
  id: string;
  invoiceId: string | null;
  currency: string;
  /** What the claim asked for, of this payment. */
  principalMinor: number;
  /** Interest, notice and collection costs. */
  extraMinor: number;
  isReversed: boolean;
  /** The last day on which the bank's entry is not late; null: it is there, or no bank has statements. */
  atBankBy: string | null;
}

/** A file that is not here, or is here twice, or does not follow the one before it. */
export interface FileFact {
  /** The id of the file, the account or the terminal. */
  id: string;
  thing: 'file' | 'account' | 'terminal';
  name: string;
  problem: 'missing' | 'gap' | 'repeated';
  /** The last day on which it is not late; null: it is no matter of time. */
  dueOn: string | null;
  currency: string;
}

/** All that is known of a day of a site. Later sources are further lists. */
export interface DayFacts {
  visits: readonly VisitFact[];
  invoices: readonly InvoiceFact[];
  payments: readonly PaymentFact[];
  refunds: readonly RefundFact[];
  chargebacks: readonly ChargebackFact[];
  terminals: readonly TerminalFact[];
  /** Rows of providers that belong to no payment of ours. */
  strays: readonly ProviderFact[];
  batches: readonly BatchFact[];
  bank: readonly BankFact[];
  claims: readonly ClaimFact[];
  files: readonly FileFact[];
}

export const NO_FACTS: DayFacts = {
  visits: [],
  invoices: [],
  payments: [],
  refunds: [],
  chargebacks: [],
  terminals: [],
  strays: [],
  batches: [],
  bank: [],
  claims: [],
  files: [],
};
