import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { nearKeys } from '@hlid/protocol/plate/plate-search';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, gte, isNotNull, lte, sql } from '../../platform/db/sql.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { visitTable as t } from './visit-table.ts';

/** A car that came longer ago has left, or is another case. */
const MAX_AGE_MS = 31 * DAY_MS;
const MAX_FOUND = 100;

/**
 * Visits at a site that had begun by a moment, with plates equal, confusable or near to one of these; newest
 * first.
 */
export async function visitsLike(
  q: Queries,
  { siteId, plates, at }: { siteId: string; plates: readonly string[]; at: string },
) {
  const keys = [...new Set(plates.flatMap((plate) => [foldPlate(plate), ...nearKeys(plate)]))];
  const found = await q
    .select({ id: t.id, plate: t.plate, startedAt: t.startedAt, endedAt: t.endedAt })
    .from(t)
    .where(
      and(
        sql`${t.plateFolded} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
        and(gte(t.startedAt, utcTime(millis(at) - MAX_AGE_MS)), lte(t.startedAt, at)),
        ofSite(t.siteId, siteId),
        isNotNull(t.plate),
      ),
    )
    .orderBy(desc(t.startedAt))
    .limit(MAX_FOUND);
  return found.flatMap(({ plate, ...visit }) => (plate === null ? [] : [{ ...visit, plate }]));
}
