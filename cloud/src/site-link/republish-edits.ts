import {
  type SiteChangeBody,
  SiteChangeBodySchema,
  type VisitEditItem,
  type VisitItem,
} from '@hlid/protocol/site-change';
import { and, asc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db, Queries, Tx } from '../db/db.ts';
import { deleteChange, readHead } from '../feed/feed-store.ts';
import { feedChangeTable } from '../feed/feed-table.ts';
import { publishChange } from '../feed/publish-change.ts';
import { moveSettlement } from '../visits/record/visit-store.ts';
import { visitTable } from '../visits/record/visit-table.ts';

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
      ...(edit.startedAt === undefined ? {} : { startedEditedAt: n }),
      ...(edit.endedAt === undefined ? {} : { endedEditedAt: n }),
      // With the start, the end or the status the price changes at the site.
      ...([edit.startedAt, edit.endedAt, edit.status].every((field) => field === undefined)
        ? {}
        : { paymentEditedAt: n }),
      ...(edit.reviewed === undefined ? {} : { flagsEditedAt: n }),
      modifiedAt: edit.at,
    })
    .where(eq(visitTable.id, edit.visitId));
}

/** Something that was done to a visit, or to a plate at its site. */
interface Deed {
  n: number;
  change: SiteChangeBody;
  /** Null where it is about a plate. */
  visitId: string | null;
}

/** What was done to a site's visits, in order, where the site has not spoken of the visit since. */
async function untold(
  q: Queries,
  siteId: string,
  range: SQL,
  kinds: readonly SiteChangeBody['kind'][],
): Promise<Deed[]> {
  const rows = await q
    .select({ n: feedChangeTable.n, change: feedChangeTable.change })
    .from(feedChangeTable)
    .where(and(eq(feedChangeTable.siteId, siteId), range, inArray(feedChangeTable.kind, [...kinds])))
    .orderBy(asc(feedChangeTable.n));
  const deeds: Deed[] = [];
  for (const { n, change: text } of rows) {
    const change = SiteChangeBodySchema.parse(JSON.parse(text));
    const visitId = visitOf(change);
    if (visitId === null || !(await hasSpoken(q, visitId, n))) deeds.push({ n, change, visitId });
  }
  return deeds;
}

async function untoldUpTo(q: Queries, siteId: string, upTo: number): Promise<Deed[]> {
  const kinds = ['visit-edit', 'visit', 'settlement', 'erase'] as const;
  return await untold(q, siteId, lte(feedChangeTable.n, upTo), kinds);
}

/**
 * Gives what was done to a site's visits up to a number new numbers, behind all others and in order: for a site that
 * knows the old ones as others (see `skipAhead`). The old ones must be where no site goes on any more.
 */
export async function retellDeeds(tx: Tx, siteId: string, upTo: number): Promise<void> {
  for (const { n, change, visitId } of await untoldUpTo(tx.q, siteId, upTo)) {
    await deleteChange(tx.q, siteId, n);
    const to = await publishChange(tx, siteId, change);
    if (visitId !== null) await moveEdited(tx.q, visitId, n, to);
    if (change.kind === 'settlement') await moveSettlement(tx.q, change.id, to);
  }
  const { n } = await readHead(tx.q, siteId);
  await tx.q.update(visitTable).set({ paymentEditedAt: n }).where(settledUntold(siteId, upTo));
}

/** Whether something was done to a site's visits up to a number, and the site has not spoken of the visit since. */
export async function hasUntold(q: Queries, siteId: string, upTo: number): Promise<boolean> {
  if ((await untoldUpTo(q, siteId, upTo)).length > 0) return true;
  return (await q.$count(visitTable, settledUntold(siteId, upTo))) > 0;
}

/** Visits with a settlement whose change may be compacted: it comes with the snapshot. */
function settledUntold(siteId: string, upTo: number) {
  const t = visitTable;
  // As the index visit_settled_untold says it.
  return sql`${t.siteId} = ${siteId} AND feed_at < payment_edited_at AND ${t.paymentEditedAt} <= ${upTo}`;
}

/** What was edited by one number is edited by another. */
async function moveEdited(q: Queries, visitId: string, n: number, to: number): Promise<void> {
  const t = visitTable;
  const moved = (editedAt: SQLiteColumn) => sql`CASE WHEN ${editedAt} = ${n} THEN ${to} ELSE ${editedAt} END`;
  await q
    .update(t)
    .set({
      plateEditedAt: moved(t.plateEditedAt),
      startedEditedAt: moved(t.startedEditedAt),
      statusEditedAt: moved(t.statusEditedAt),
      endedEditedAt: moved(t.endedEditedAt),
      paymentEditedAt: moved(t.paymentEditedAt),
      flagsEditedAt: moved(t.flagsEditedAt),
    })
    .where(eq(t.id, visitId));
}

function visitOf(change: SiteChangeBody): string | null {
  if (change.kind === 'visit') return change.id;
  return change.kind === 'visit-edit' || change.kind === 'settlement' ? change.item.visitId : null;
}

/** Whether the site has spoken of a visit since it heard of a change; or there is no such visit any more. */
async function hasSpoken(q: Queries, visitId: string, n: number): Promise<boolean> {
  const [visit] = await q
    .select({ feedAt: visitTable.feedAt })
    .from(visitTable)
    .where(eq(visitTable.id, visitId));
  return visit === undefined || visit.feedAt >= n;
}

type EraseChange = Extract<SiteChangeBody, { kind: 'erase' }>;

/** One edit a visit, later ones over earlier ones; none of which the site has spoken of the visit since. */
async function toldAfter(
  q: Queries,
  siteId: string,
  after: number,
): Promise<{ visits: VisitItem[]; edits: VisitEditItem[]; erased: EraseChange[] }> {
  // Settlements come with the snapshot.
  const kinds = ['visit-edit', 'visit', 'erase'] as const;
  const visits: VisitItem[] = [];
  const edits = new Map<string, VisitEditItem>();
  const erased: EraseChange[] = [];
  for (const { change } of await untold(q, siteId, gt(feedChangeTable.n, after), kinds)) {
    if (change.kind === 'erase') erased.push(change);
    else if (change.kind === 'visit') visits.push(change.item);
    else if (change.kind === 'visit-edit') {
      const { visitId } = change.item;
      edits.set(visitId, laterOver(edits.get(visitId), change.item));
    }
  }
  return { visits, edits: [...edits.values()], erased };
}

function laterOver(earlier: VisitEditItem | undefined, later: VisitEditItem): VisitEditItem {
  const reviewed = [...new Set([...(earlier?.reviewed ?? []), ...(later.reviewed ?? [])])];
  return { ...earlier, ...later, ...(reviewed.length > 0 && { reviewed }) };
}
