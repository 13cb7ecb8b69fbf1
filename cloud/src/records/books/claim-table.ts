import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { BankRefusal, ClaimStatus, CollectionState, DayAmount } from '../../platform/banks/bank.ts';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';

/** What was agreed with a bank of the configuration about collecting claims. */
export const bankAgreementTable = sqliteTable('bank_agreement', {
  /** The bank, as the configuration names it. */
  bankId: text('bank_id').primaryKey(),
  /** The national id of the company that has the agreement. */
  ownerId: text('owner_id').notNull(),
  /** Its branch, four digits. */
  branch: text('branch').notNull(),
  /** The code of the contract, three characters. */
  templateCode: text('template_code').notNull(),
  /** The licence to collect claims of other companies; null: there is none. */
  licence: text('licence'),
  hasInterest: integer('has_interest', { mode: 'boolean' }).notNull(),
  /** The charge for a late payment; null: none. */
  defaultCharge: shortJson<DayAmount>('default_charge'),
  takesPartPayments: integer('takes_part_payments', { mode: 'boolean' }).notNull(),
  modifiedAt: text('modified_at').notNull(),
});
export type BankAgreementRow = typeof bankAgreementTable.$inferSelect;

/** The numbers of claims: each is allocated, for good, before a claim with it is sent. */
export const claimSeriesTable = sqliteTable(
  'claim_series',
  {
    claimantId: text('claimant_id').notNull(),
    branch: text('branch').notNull(),
    last: integer('last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.claimantId, table.branch] })],
);

/** `new`: the bank has not confirmed it. `refused`: it does not exist. The others are those of the bank. */
export const CLAIM_STATES = ['new', 'unpaid', 'paid', 'cancelled', 'refused'] as const satisfies readonly (
  | ClaimStatus
  | 'new'
  | 'refused'
)[];
export type ClaimState = (typeof CLAIM_STATES)[number];

export const CLAIM_ORDERS = ['create', 'change', 'cancel'] as const;
export type ClaimOrder = (typeof CLAIM_ORDERS)[number];

/** `waiting`: not sent. `sending`, `unknown`: the bank may have done it, and is asked. */
export const ORDER_STEPS = ['waiting', 'sending', 'unknown'] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];

/** Why an order was not carried out, or not yet: the bank's reasons, and our own. */
export const CLAIM_REASONS = [
  'exists',
  'paid',
  'cancelled',
  'not-found',
  'other',
  'not-reached',
  'no-bank',
  'history-differs',
] as const satisfies readonly (BankRefusal | 'not-reached' | 'no-bank' | 'history-differs')[];
export type ClaimReason = (typeof CLAIM_REASONS)[number];

/** The terms of a claim beside its amount. */
export interface StoredTerms {
  amountMinor: number;
  finalDueOn: string;
  discount: DayAmount | null;
  defaultCharge: DayAmount | null;
  hasInterest: boolean;
  /** The day from which interest counts; absent: the due date. */
  interestFrom?: 'final-due';
  takesPartPayments: boolean;
}

/** Claims at banks. The key (claimant, account, due date) is chosen here and never changes. */
export const claimTable = sqliteTable(
  'claim',
  {
    id: compactId('id').primaryKey(),
    bankId: text('bank_id').notNull(),
    invoiceId: compactId('invoice_id').notNull(),
    /** Null: of several sites. */
    siteId: compactSiteId('site_id'),
    /** The national id of whom the claim belongs to. */
    claimantId: text('claimant_id').notNull(),
    /** Branch, ledger 66 and number. */
    account: text('account').notNull(),
    /** `YYYY-MM-DD`. */
    dueOn: text('due_on').notNull(),
    payorId: text('payor_id').notNull(),
    templateCode: text('template_code').notNull(),
    billNumber: text('bill_number').notNull(),
    state: text('state').$type<ClaimState>().notNull(),
    collection: text('collection').$type<CollectionState>(),
    currency: text('currency').notNull(),
    /** The terms that the bank has, or is to have. */
    terms: shortJson<StoredTerms>('terms').notNull(),
    /** The amount that was taken off it, less what was taken back. */
    paidMinor: integer('paid_minor').notNull().default(0),
    /** What the bank asks for now, with interest and costs; null: not known. */
    dueMinor: integer('due_minor'),
    /** Its payments and reversals that are booked. */
    movements: integer('movements').notNull().default(0),
    /** What the bank is still to do; null: nothing. */
    order: text('claim_order').$type<ClaimOrder>(),
    step: text('step').$type<OrderStep>(),
    /** The terms that a change asks for. */
    wanted: shortJson<StoredTerms>('wanted'),
    /** What a dispute has taken off its terms until it is answered; null: nothing. */
    stopped: shortJson<Pick<StoredTerms, 'hasInterest' | 'defaultCharge'>>('stopped'),
    reason: text('reason').$type<ClaimReason>(),
    detail: text('detail'),
    /** When the bank last said how it is. */
    followedAt: text('followed_at'),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
    ...workColumns(),
  },
  (table) => [
    ...workIndexes('claim', table),
    uniqueIndex('claim_by_key').on(table.account, table.claimantId, table.dueOn),
    index('claim_by_invoice').on(table.invoiceId, table.createdAt),
    index('claim_by_due').on(table.dueOn),
    index('claim_by_time').on(table.createdAt, table.id),
    index('claim_by_site').on(table.siteId, table.createdAt, table.id),
    index('claim_by_state').on(table.state, table.createdAt, table.id),
  ],
);
export type ClaimRow = typeof claimTable.$inferSelect;

export const claimQueue = new WorkQueue('claim', { isCompact: true });

/** Announced when a bank is to do something. */
export const CLAIMS_WAITING = 'claims-waiting';

/** Money of claims, as banks have it: a reversal has its amounts below zero. No row changes. */
export const claimMovementTable = sqliteTable(
  'claim_movement',
  {
    claimId: compactId('claim_id').notNull(),
    /** Its place among those of its claim, from 0. */
    n: integer('n').notNull(),
    kind: text('kind').$type<'payment' | 'reversal'>().notNull(),
    /** When the bank did it. */
    at: text('at').notNull(),
    /** The day of the bank, `YYYY-MM-DD`. */
    bookedOn: text('booked_on').notNull(),
    valueOn: text('value_on').notNull(),
    /** What is taken off the claim. The whole is principal − discount + interest + costs. */
    principalMinor: integer('principal_minor').notNull(),
    discountMinor: integer('discount_minor').notNull(),
    interestMinor: integer('interest_minor').notNull(),
    costsMinor: integer('costs_minor').notNull(),
    /** What reaches the account: the bank may keep its part of the costs. */
    depositedMinor: integer('deposited_minor').notNull(),
    seenAt: text('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.claimId, table.n] }),
    index('claim_movement_by_day').on(table.bookedOn),
  ],
);
export type ClaimMovementRow = typeof claimMovementTable.$inferSelect;
