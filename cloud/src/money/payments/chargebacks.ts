import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries } from '../../platform/db/db.ts';
import { asc, eq, inArray } from '../../platform/db/sql.ts';
import { chargebackTable as t } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';

export type ChargebackRow = typeof t.$inferSelect;

/** Why a payment is not refunded beside a chargeback. */
export const CHARGED_BACK = mistake('charged-back');

/** The chargebacks of payments, the oldest first. */
export async function chargebacksOf(q: Queries, paymentIds: readonly string[]): Promise<ChargebackRow[]> {
  if (paymentIds.length === 0) return [];
  return await q
    .select()
    .from(t)
    .where(inArray(t.paymentId, [...paymentIds]))
    .orderBy(asc(t.openedAt), asc(t.reference));
}

/** Whether it has the money, or may get it. */
export function isStanding({ state }: Pick<ChargebackRow, 'state'>): boolean {
  return state === 'open' || state === 'lost';
}

/** The amount that the bank holds, or has kept. */
export function chargedBackMinor(
  chargebacks: readonly Pick<ChargebackRow, 'state' | 'amountMinor'>[],
): number {
  return chargebacks.filter(isStanding).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Writes one, new or as it goes on, and marks its payment while any is open. @returns the mark */
export async function writeChargeback(q: Queries, row: ChargebackRow): Promise<boolean> {
  const { paymentId: _payment, reference: _reference, ...fields } = row;
  await q
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.paymentId, t.reference], set: fields });
  const all = await chargebacksOf(q, [row.paymentId]);
  const chargedBack = all.some(({ state }) => state === 'open');
  await q.update(paymentTable).set({ chargedBack }).where(eq(paymentTable.id, row.paymentId));
  return chargedBack;
}
