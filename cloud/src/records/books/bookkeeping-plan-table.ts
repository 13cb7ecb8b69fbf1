import type { BookRole } from '@hlid/protocol/base/book-roles';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** The account that something is booked to. */
export interface PlanLine {
  role: BookRole;
  /** What of it, such as `S24` or a gateway; null: all that has no line of its own. */
  detail: string | null;
  account: string;
  /** The key of the VAT in the bookkeeping; null: none. */
  vatCode: string | null;
}

/** What a batch of DATEV names at its beginning. */
export interface DatevSettings {
  consultant: number;
  client: number;
  /** The digits of accounts in the general ledger. */
  accountDigits: number;
  /** The month in which the fiscal year begins. */
  fiscalYearMonth: number;
}

/** The accounts of the bookkeeping. The plan of a site has only what is different there. */
export const bookkeepingPlanTable = sqliteTable('bookkeeping_plan', {
  /** Empty: of every site. */
  siteId: compactSiteId('site_id').primaryKey(),
  lines: text('lines', { mode: 'json' }).$type<PlanLine[]>().notNull(),
  datev: text('datev', { mode: 'json' }).$type<DatevSettings>(),
  modifiedAt: text('modified_at').notNull(),
});
export type BookkeepingPlanRow = typeof bookkeepingPlanTable.$inferSelect;
