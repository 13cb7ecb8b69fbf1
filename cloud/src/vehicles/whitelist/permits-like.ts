import { foldPlate } from '@hlid/protocol/plate/plate';
import { type Permit, platesToList } from '@hlid/protocol/records/whitelist';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eqPlaceholder, isNull, ne, or, sql } from '../../platform/db/sql.ts';
import { whitelistTable as t } from '../../records/whitelist/whitelist-table.ts';
import { permitOf } from './whitelist-entry.ts';

const entriesLike = prepared((q) =>
  q
    .select()
    .from(t)
    .where(
      and(
        eqPlaceholder(t.plateFolded, 'plateFolded'),
        ne(t.status, sql`'deleted'`),
        or(isNull(t.siteId), eqPlaceholder(t.siteId, 'siteId')),
      ),
    )
    .prepare(),
);

/**
 * Every permit at a site for this plate or one like it, whatever its state.
 *
 * @param country as the camera reports it
 */
export async function permitsLike(
  q: Queries,
  plate: string,
  siteId: string,
  country: string | null = null,
): Promise<Permit[]> {
  const permits: Permit[] = [];
  for (const plateFolded of new Set(platesToList(plate, country).map(foldPlate))) {
    const entries = await entriesLike(q).all({ plateFolded, siteId });
    permits.push(...entries.flatMap((entry) => permitOf(entry) ?? []));
  }
  return permits;
}
