import { foldPlate, isLookalike, typedLength } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, eqPlaceholder, isNull, ne, sql } from '../../platform/db/sql.ts';
import { siteDeviceTable } from '../../records/devices/device-table.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';

/** Max results: a driver who does not see the car types more characters. */
const MAX_FOUND = 10;
/** The most visits that are read of a key: some of its plates do not begin as the driver typed. */
const MAX_WITH_KEY = 100;

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
    .limit(MAX_WITH_KEY)
    .prepare(),
);

/** Visits inside, at any site, with a plate that begins like that, in any spelling of its letters. */
export async function visitsInsideLike(q: Queries, typed: string): Promise<VisitRow[]> {
  const folded = foldPlate(typed);
  const rows = await insideLike(q).all({ from: folded, before: `${folded}\u{10FFFF}` });
  const begins = rows.filter(({ plate }) => plate !== null && typedLength(plate, typed) !== null);
  return begins.slice(0, MAX_FOUND);
}

const inside = prepared((q) =>
  q
    .select()
    .from(v)
    .where(and(isNull(v.endedAt), eqPlaceholder(v.plateFolded, 'folded')))
    .limit(MAX_WITH_KEY)
    .prepare(),
);

/** Visits inside, at any site, with that plate or one easily confused with it. */
export async function visitsInside(q: Queries, plate: string): Promise<VisitRow[]> {
  const rows = await inside(q).all({ folded: foldPlate(plate) });
  return rows.filter((row) => row.plate !== null && isLookalike(row.plate, plate));
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
