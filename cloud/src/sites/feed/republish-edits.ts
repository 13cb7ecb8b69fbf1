import { parseNewer } from '@hlid/protocol/base/read-newer';
import {
  type SiteChangeBody,
  SiteChangeBodySchema,
  type VisitEditItem,
  type VisitItem,
} from '@hlid/protocol/site-link/site-change';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, gt, inArray, lte, type SQL } from '../../platform/db/sql.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { deleteChange } from '../../records/feed/feed-store.ts';
import { feedChangeTable } from '../../records/feed/feed-table.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import {
  hasSettlementUnsent,
  moveEdited,
  moveSettled,
  noteEdited,
} from '../../records/visits/edit-numbers.ts';
import { moveSettlement } from '../../records/visits/settlements.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

/**
 * Publishes again the visits created here, the edits of visits, and the plates to be erased, that came after
 * the change that a site holds. The snapshot for the site contains none of them. The call comes when the
 * moment of the snapshot is fixed and before the site has it, so that they follow it.
 */
export async function republishEdits(db: Db, siteId: string, siteHolds: number): Promise<void> {
  const unseen = await db.read((q) => unseenAfter(q, siteId, siteHolds));
  if (unseen.visits.length + unseen.edits.length + unseen.erased.length === 0) return;
  await db.write(async (tx) => {
    const { visits, edits, erased } = await unseenAfter(tx.q, siteId, siteHolds);
    for (const item of visits) await publishVisit(tx, siteId, item);
    for (const edit of edits) await publishEdit(tx, siteId, edit);
    for (const change of erased) await publishChange(tx, siteId, change);
  });
}

async function publishVisit(tx: Tx, siteId: string, item: VisitItem): Promise<void> {
  await publishChange(tx, siteId, { kind: 'visit', op: 'put', id: item.visit.id, item });
}

async function publishEdit(tx: Tx, siteId: string, edit: VisitEditItem): Promise<void> {
  const n = await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id: edit.id, item: edit });
  await noteEdited(tx.q, edit, n);
}

/** A change of a visit, or of a plate at its site, that the site has not reported yet. */
interface UnseenChange {
  n: number;
  change: SiteChangeBody;
  /** Null where it is about a plate. */
  visitId: string | null;
}

/** The changes of a site's visits, in order, of which the site has not reported the visit since. */
async function unseenChanges(
  q: Queries,
  siteId: string,
  range: SQL,
  kinds: readonly SiteChangeBody['kind'][],
): Promise<UnseenChange[]> {
  const rows = await q
    .select({ n: feedChangeTable.n, change: feedChangeTable.change })
    .from(feedChangeTable)
    .where(and(eq(feedChangeTable.siteId, siteId), range, inArray(feedChangeTable.kind, [...kinds])))
    .orderBy(asc(feedChangeTable.n));
  const unseen: UnseenChange[] = [];
  for (const { n, change: text } of rows) {
    const change = parseNewer(SiteChangeBodySchema, JSON.parse(text));
    const visitId = visitOf(change);
    if (visitId === null || !(await hasReported(q, visitId, n))) unseen.push({ n, change, visitId });
  }
  return unseen;
}

async function unseenUpTo(q: Queries, siteId: string, upTo: number): Promise<UnseenChange[]> {
  const kinds = ['visit-edit', 'visit', 'settlement', 'erase'] as const;
  return await unseenChanges(q, siteId, lte(feedChangeTable.n, upTo), kinds);
}

/**
 * Gives the unseen changes of a site's visits up to a number new numbers, after all others and in order. This
 * is for a site that has used the old numbers for other changes (see `skipAhead`). The old numbers must be
 * compacted.
 */
export async function republishUnseen(tx: Tx, siteId: string, upTo: number): Promise<void> {
  for (const { n, change, visitId } of await unseenUpTo(tx.q, siteId, upTo)) {
    await deleteChange(tx.q, siteId, n);
    const to = await publishChange(tx, siteId, change);
    if (visitId !== null) await moveEdited(tx.q, visitId, n, to);
    if (change.kind === 'settlement') await moveSettlement(tx.q, change.id, to);
  }
  const { n } = await readHead(tx.q, siteId);
  await moveSettled(tx.q, siteId, upTo, n);
}

/** Whether a site's visits have changes up to a number that the site has not reported yet. */
export async function hasUnseen(q: Queries, siteId: string, upTo: number): Promise<boolean> {
  if ((await unseenUpTo(q, siteId, upTo)).length > 0) return true;
  return await hasSettlementUnsent(q, siteId, upTo);
}

function visitOf(change: SiteChangeBody): string | null {
  if (change.kind === 'visit') return change.id;
  return change.kind === 'visit-edit' || change.kind === 'settlement' ? change.item.visitId : null;
}

/** Whether the site has reported the visit since it got the change; or there is no such visit any more. */
async function hasReported(q: Queries, visitId: string, n: number): Promise<boolean> {
  const [visit] = await q
    .select({ feedAt: visitTable.feedAt })
    .from(visitTable)
    .where(eq(visitTable.id, visitId));
  return visit === undefined || visit.feedAt >= n;
}

type EraseChange = Extract<SiteChangeBody, { kind: 'erase' }>;

/** One edit per visit, later ones over earlier ones; only unseen ones. */
async function unseenAfter(
  q: Queries,
  siteId: string,
  after: number,
): Promise<{ visits: VisitItem[]; edits: VisitEditItem[]; erased: EraseChange[] }> {
  // Settlements come with the snapshot.
  const kinds = ['visit-edit', 'visit', 'erase'] as const;
  const visits: VisitItem[] = [];
  const edits = new Map<string, VisitEditItem>();
  const erased: EraseChange[] = [];
  for (const { change } of await unseenChanges(q, siteId, gt(feedChangeTable.n, after), kinds)) {
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
