import { foldPlate } from '@hlid/protocol/plate';
import type { Permit } from '@hlid/protocol/whitelist';
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

/** Every permit at a site for this plate or one that looks like it, whatever its state. */
export async function permitsLike(q: Queries, plate: string, siteId: string): Promise<Permit[]> {
  const entries = await entriesLike(q).all({ plateFolded: foldPlate(plate), siteId });
  return entries.flatMap((entry) => permitOf(entry) ?? []);
}
