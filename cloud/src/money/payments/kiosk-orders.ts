import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, lt } from '../../platform/db/sql.ts';
import { kioskOrderTable as t } from '../../records/payments/payment-table.ts';

export type KioskOrderRow = typeof t.$inferSelect;

/** Stores an order before its site gets it, and deletes orders older than a day. */
export async function addKioskOrder(q: Queries, row: KioskOrderRow): Promise<void> {
  await q.delete(t).where(lt(t.at, dayBefore(row.at)));
  await q.insert(t).values(row);
}

export async function saveOrderFault(q: Queries, id: string, fault: string): Promise<void> {
  await q.update(t).set({ fault }).where(eq(t.id, id));
}

export async function findKioskOrder(q: Queries, id: string, now: UtcTime): Promise<KioskOrderRow | null> {
  const [row] = await q
    .select()
    .from(t)
    .where(and(eq(t.id, id), gt(t.at, dayBefore(now))));
  return row ?? null;
}

function dayBefore(at: UtcTime): UtcTime {
  return utcTime(millis(at) - DAY_MS);
}
