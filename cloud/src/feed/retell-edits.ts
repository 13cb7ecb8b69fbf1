import {
  type SettlementItem,
  type SiteChangeBody,
  SiteChangeBodySchema,
  type VisitEditItem,
  type VisitItem,
} from '@hlid/protocol/site-change';
import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Db, Queries, Tx } from '../db/db.ts';
import { visitTable } from '../visits/visit-table.ts';
import { feedChangeTable } from './feed-table.ts';
import { publishChange } from './publish-change.ts';

/**
 * Tells a site once more the visits begun here, the edits of visits, and the plates to be erased, that came after the
 * change it holds: a snapshot, which it is about to take, jumps over them and has none. To be called when the moment of
 * the snapshot is fixed, so that they come after it, and before the site has it.
 */
export async function retellEdits(db: Db, siteId: string, siteHolds: number): Promise<void> {
  const untold = await db.read((q) => toldAfter(q, siteId, siteHolds));
  if (untold.visits.length + untold.edits.length + untold.erased.length === 0) return;
  await db.write(async (tx) => {
    const { visits, edits, erased } = await toldAfter(tx.q, siteId, siteHolds);
    for (const item of visits) await tellVisit(tx, siteId, item);
    for (const edit of edits) await tellEdit(tx, siteId, edit);
    for (const change of erased) await publishChange(tx, siteId, change);
  });
}

async function tellVisit(tx: Tx, siteId: string, item: VisitItem): Promise<void> {
  await publishChange(tx, siteId, { kind: 'visit', op: 'put', id: item.visit.id, item });
}

async function tellEdit(tx: Tx, siteId: string, edit: VisitEditItem): Promise<void> {
  const n = await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id: edit.id, item: edit });
  await tx.q
    .update(visitTable)
    .set({
      ...(edit.plate === undefined ? {} : { plateEditedAt: n }),
      ...(edit.status === undefined ? {} : { statusEditedAt: n }),
      ...(edit.endedAt === undefined ? {} : { endedEditedAt: n }),
      // With the end or the status the price changes at the site.
      ...(edit.endedAt === undefined && edit.status === undefined ? {} : { paymentEditedAt: n }),
      ...(edit.reviewed === undefined ? {} : { flagsEditedAt: n }),
      modifiedAt: edit.at,
    })
    .where(eq(visitTable.id, edit.visitId));
}

async function tellSettlement(tx: Tx, siteId: string, item: SettlementItem): Promise<void> {
  const n = await publishChange(tx, siteId, { kind: 'settlement', op: 'put', id: item.id, item });
  await tx.q.update(visitTable).set({ paymentEditedAt: n }).where(eq(visitTable.id, item.visitId));
}

/**
 * Tells a site once more, in order, what was done to its visits by numbers that it takes for others: those of a
 * feed that has forgotten some (see `skipAhead`).
 */
export async function retellDeeds(tx: Tx, siteId: string, after: number, upTo: number): Promise<void> {
  const rows = await tx.q
    .select({ change: feedChangeTable.change })
    .from(feedChangeTable)
    .where(
      and(
        eq(feedChangeTable.siteId, siteId),
        gt(feedChangeTable.n, after),
        lte(feedChangeTable.n, upTo),
        inArray(feedChangeTable.kind, ['visit-edit', 'visit', 'settlement', 'erase']),
      ),
    )
    .orderBy(asc(feedChangeTable.n));
  for (const { change: text } of rows) {
    const change = SiteChangeBodySchema.parse(JSON.parse(text));
    if (change.kind === 'visit') await tellVisit(tx, siteId, change.item);
    if (change.kind === 'visit-edit') await tellEdit(tx, siteId, change.item);
    if (change.kind === 'settlement') await tellSettlement(tx, siteId, change.item);
    if (change.kind === 'erase') await publishChange(tx, siteId, change);
  }
}

type EraseChange = Extract<SiteChangeBody, { kind: 'erase' }>;

/** One edit a visit, later ones over earlier ones; none of which the site has spoken of the visit since. */
async function toldAfter(
  q: Queries,
  siteId: string,
  after: number,
): Promise<{ visits: VisitItem[]; edits: VisitEditItem[]; erased: EraseChange[] }> {
  const rows = await q
    .select({ n: feedChangeTable.n, change: feedChangeTable.change })
    .from(feedChangeTable)
    .where(
      and(
        eq(feedChangeTable.siteId, siteId),
        gt(feedChangeTable.n, after),
        inArray(feedChangeTable.kind, ['visit-edit', 'visit', 'erase']),
      ),
    )
    .orderBy(asc(feedChangeTable.n));
  const visits: VisitItem[] = [];
  const edits = new Map<string, VisitEditItem>();
  const erased: EraseChange[] = [];
  for (const { n, change: text } of rows) {
    const change = SiteChangeBodySchema.parse(JSON.parse(text));
    if (change.kind === 'erase') erased.push(change);
    if (change.kind !== 'visit-edit' && change.kind !== 'visit') continue;
    const visitId = change.kind === 'visit' ? change.id : change.item.visitId;
    const [visit] = await q
      .select({ feedAt: visitTable.feedAt })
      .from(visitTable)
      .where(eq(visitTable.id, visitId));
    if (visit === undefined || visit.feedAt >= n) continue;
    if (change.kind === 'visit') visits.push(change.item);
    else edits.set(visitId, laterOver(edits.get(visitId), change.item));
  }
  return { visits, edits: [...edits.values()], erased };
}

function laterOver(earlier: VisitEditItem | undefined, later: VisitEditItem): VisitEditItem {
  const reviewed = [...new Set([...(earlier?.reviewed ?? []), ...(later.reviewed ?? [])])];
  return { ...earlier, ...later, ...(reviewed.length > 0 && { reviewed }) };
}
