import { SiteChangeBodySchema, type VisitEditItem } from '@hlid/protocol/site-change';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Db, Queries } from '../db/db.ts';
import { visitTable } from '../visits/visit-table.ts';
import { feedChangeTable } from './feed-table.ts';
import { publishChange } from './publish-change.ts';

/**
 * Tells a site once more the edits of visits that came after the change it holds: a snapshot, which it is about to
 * take, jumps over them and has none. To be called when the moment of the snapshot is fixed, so that they come
 * after it, and before the site has it.
 */
export async function retellEdits(db: Db, siteId: string, siteHolds: number): Promise<void> {
  if ((await db.read((q) => editsAfter(q, siteId, siteHolds))).length === 0) return;
  await db.write(async (tx) => {
    for (const edit of await editsAfter(tx.q, siteId, siteHolds)) {
      const n = await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id: edit.id, item: edit });
      await tx.q
        .update(visitTable)
        .set({
          ...(edit.plate === undefined ? {} : { plateEditedAt: n }),
          ...(edit.status === undefined ? {} : { statusEditedAt: n }),
          ...(edit.endedAt === undefined ? {} : { endedEditedAt: n }),
          modifiedAt: edit.at,
        })
        .where(eq(visitTable.id, edit.visitId));
    }
  });
}

/** One edit a visit, later ones over earlier ones; none of which the site has spoken of the visit since. */
async function editsAfter(q: Queries, siteId: string, after: number): Promise<VisitEditItem[]> {
  const rows = await q
    .select({ n: feedChangeTable.n, change: feedChangeTable.change })
    .from(feedChangeTable)
    .where(
      and(
        eq(feedChangeTable.siteId, siteId),
        gt(feedChangeTable.n, after),
        eq(feedChangeTable.kind, 'visit-edit'),
      ),
    )
    .orderBy(asc(feedChangeTable.n));
  const edits = new Map<string, VisitEditItem>();
  for (const { n, change: text } of rows) {
    const change = SiteChangeBodySchema.parse(JSON.parse(text));
    if (change.kind !== 'visit-edit') continue;
    const { visitId } = change.item;
    const [visit] = await q
      .select({ feedAt: visitTable.feedAt })
      .from(visitTable)
      .where(eq(visitTable.id, visitId));
    if (visit === undefined || visit.feedAt >= n) continue;
    edits.set(visitId, { ...edits.get(visitId), ...change.item });
  }
  return [...edits.values()];
}
