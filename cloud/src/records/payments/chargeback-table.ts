import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * How a chargeback stands. `won`: the money is here again. `prevented`: it ended before any money was taken. What was lost
 * may still be won, by an appeal.
 */
export const CHARGEBACK_STATES = ['open', 'lost', 'prevented', 'won'] as const;
export type ChargebackState = (typeof CHARGEBACK_STATES)[number];

/**
 * Money that the bank of a card's holder has taken back, or claims: each is a separate record, by the
 * provider's reference. A payment may have several, of any part of it, also after it was refunded.
 */
export const chargebackTable = sqliteTable(
  'chargeback',
  {
    paymentId: compactId('payment_id').notNull(),
    /** The provider's. */
    reference: text('reference').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    reasonCode: text('reason_code').notNull(),
    /** The last day to send evidence. */
    deadline: text('deadline'),
    evidence: text('evidence'),
    state: text('state').$type<ChargebackState>().notNull(),
    openedAt: text('opened_at').notNull(),
    decidedAt: text('decided_at'),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.reference] }),
    index('chargeback_open').on(table.paymentId).where(sql`state = 'open'`),
  ],
);
