import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { and, asc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { siteDeviceTable } from '../devices/device-table.ts';
import { kioskOrderTable as t } from '../payments/kiosk-order-table.ts';
import type { VisitRow } from '../visits/list/visit-view.ts';
import { visitTable as v } from '../visits/record/visit-table.ts';

export type KioskOrderRow = typeof t.$inferSelect;

/** More are not shown: who looks for one types on. */
const MAX_FOUND = 10;

const insideLike = prepared((q) =>
  q
    .select()
    .from(v)
    .where(
      and(
        isNull(v.endedAt),
        sql`${v.plateFolded} >= ${sql.placeholder('from')}`,
        sql`${v.plateFolded} < ${sql.placeholder('before')}`,
      ),
    )
    .orderBy(asc(v.plateFolded), asc(v.startedAt))
    .limit(MAX_FOUND)
    .prepare(),
);

/** Visits inside, at any site, whose plate begins like that once what cameras mix up is folded. */
export async function visitsInsideLike(q: Queries, folded: string): Promise<VisitRow[]> {
  return await insideLike(q).all({ from: folded, before: `${folded}\u{10FFFF}` });
}

const inside = prepared((q) =>
  q
    .select()
    .from(v)
    .where(and(isNull(v.endedAt), eq(v.plateFolded, sql.placeholder('folded'))))
    .limit(MAX_FOUND)
    .prepare(),
);

/** Visits inside, at any site, whose plate is that or is taken for it. */
export async function visitsInside(q: Queries, folded: string): Promise<VisitRow[]> {
  return await inside(q).all({ folded });
}

/** The sites that have a terminal of that name. */
export async function sitesWithTerminal(q: Queries, terminalId: string): Promise<string[]> {
  const { siteId, kind, deviceId, state } = siteDeviceTable;
  const rows = await q
    .select({ siteId })
    .from(siteDeviceTable)
    .where(and(eq(kind, 'terminal'), eq(deviceId, terminalId), ne(state, 'gone')));
  return rows.map((row) => row.siteId);
}

/** Writes an order down before its site hears of it, and forgets those of more than a day ago. */
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
