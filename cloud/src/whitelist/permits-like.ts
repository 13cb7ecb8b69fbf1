import { foldPlate } from '@hlid/protocol/plate';
import { type Permit, platesToList } from '@hlid/protocol/whitelist';
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import { eqPlaceholder } from '../db/compact-columns.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { permitOf } from './whitelist-entry.ts';
import { whitelistTable as t } from './whitelist-table.ts';

const entriesLike = prepared((q) =>
  q
    .select()
    .from(t)
    .where(
      and(
        eq(t.plateFolded, sql.placeholder('plateFolded')),
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
