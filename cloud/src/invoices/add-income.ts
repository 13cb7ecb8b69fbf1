import { sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { newValue, preparedInsert } from '../db/prepared-insert.ts';
import { incomeTable as t } from './income-table.ts';

const addRow = preparedInsert(t, {
  target: [t.siteId, t.day, t.paymentType, t.vehicleCategory, t.currency],
  set: {
    invoices: sql`${t.invoices} + ${newValue(t.invoices)}`,
    amountMinor: sql`${t.amountMinor} + ${newValue(t.amountMinor)}`,
  },
});

/** Adds to a day's total, in the transaction that issues (1) or refunds (-1 and a negative amount) the invoice. */
export async function addIncome(q: Queries, income: typeof t.$inferSelect): Promise<void> {
  await addRow(q, income);
}
