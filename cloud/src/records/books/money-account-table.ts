import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** What a provider keeps of each sale. */
export interface FeeContract {
  /** Hundredths of a percent. */
  basisPoints: number;
  /** The fixed part of a fee, in the minor unit of the currency. */
  fixed: number;
}

/**
 * An account whose files are imported: with a provider of cards (`settlement`), or at a bank. A file belongs to the sites
 * of its account.
 */
export const moneyAccountTable = sqliteTable(
  'money_account',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<'settlement' | 'bank'>().notNull(),
    /** The name of the account in files: a merchant account, an IBAN, an account number. */
    reference: text('reference').notNull(),
    name: text('name').notNull(),
    /** Null: it is of several sites, and for those who see all of them. */
    siteId: compactSiteId('site_id'),
    /** The time zone of times in files that name none. */
    timeZone: text('time_zone').notNull(),
    /** The gateway of the configuration that pays into it; null: card terminals do, or it is a bank's. */
    gatewayId: text('gateway_id'),
    /** The account at a bank that gets the payouts; null: not known. */
    paysIntoId: text('pays_into_id'),
    /** How its CSV is read; null: its files have a published format. */
    mapping: text('mapping', { mode: 'json' }).$type<unknown>(),
    /** What the provider keeps of a sale, as it was agreed; null: fees are not checked. */
    feeContract: text('fee_contract', { mode: 'json' }).$type<FeeContract>(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    uniqueIndex('money_account_by_reference').on(table.kind, table.reference),
    index('money_account_by_time').on(table.createdAt, table.id),
  ],
);
export type MoneyAccountRow = typeof moneyAccountTable.$inferSelect;
