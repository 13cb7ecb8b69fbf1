import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { comparePlates } from '@hlid/protocol/plate/plate';
import type { FoundBy, ReviewFlag } from '@hlid/protocol/records/visit';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { type RefusedConflict, refusedConflict } from '../../platform/refused.ts';
import type { MatchedVisit, MatchUndo } from '../../records/matching/match-table.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { openVisitOf } from '../../records/visits/open-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { changePhoto } from '../photos/edit-photo.ts';
import { findPhoto } from '../photos/find-photos.ts';
import { editRow, type VisitFields } from '../visits/change/change-visit.ts';
import { recordChange } from '../visits/change/record-change.ts';
import { changeEndTime, NO_EXIT } from '../visits/edit/change-end-time.ts';
import { takeBackToReopen } from '../visits/edit/reverse-settlement.ts';
import { decideNow } from '../visits/price/decide-now.ts';

export const MATCHED = 'matched';
const MATCH_UNDONE = 'match undone';
/** The plate of the visit may be the misread one: a person decides that in Review, by the picture of the exit. */
const DOUBT: ReviewFlag = 'uncertain-plate';
const CHANGED = refusedConflict(mistake('changed-since'));

/**
 * What a visit owes if it left by an exit: no more than the exit would have asked for, had it read the plate; no more than
 * the visit would be asked for now; and no more than it was asked for already.
 */
export async function owedByMatch(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  { exitAt, now }: { exitAt: UtcTime; now: UtcTime },
): Promise<number> {
  const amounts = [await askedAt(q, visit, site, exitAt), await askedAt(q, visit, site, now)];
  if (visit.status === 'need-payment' && visit.amountMinor !== null) amounts.push(visit.amountMinor);
  return Math.min(...amounts);
}

async function askedAt(q: Queries, visit: VisitRow, site: ChosenSite, at: UtcTime): Promise<number> {
  const { decision, price } = await decideNow(q, visit, site, at);
  switch (decision.reason) {
    case 'need-payment':
    case 'owner-invoice':
    case 'company-invoice':
    // Its amount is uncertain: a person decides.
    case 'stay-uncertain':
      return price?.amountMinor ?? 0;
    default:
      return 0;
  }
}

/** Ends a visit at the moment of a read at an exit, which is its exit from now on. @returns what undoes it */
export async function endAtMatch(
  tx: Tx,
  actor: Actor,
  { visit, exit }: { visit: VisitRow; exit: PhotoRow },
): Promise<MatchUndo> {
  const site = await siteOfVisit(tx.q, visit);
  const maxDueMinor = await owedByMatch(tx.q, visit, site, { exitAt: exit.receivedAt, now: actor.at });
  const to = {
    endedAt: exit.receivedAt,
    exit: { exitLaneId: exit.laneId, exitReadId: exit.id, exitFoundBy: foundBy(exit.plate, visit.plate) },
    maxDueMinor,
  };
  const ended = await changeEndTime(tx, actor, visit, site, to, MATCHED);
  // Which of two plates is right counts where an amount is due.
  const isDoubtful = ended.status === 'need-payment' && exit.plate !== visit.plate;
  const after =
    isDoubtful && !ended.flags.includes(DOUBT)
      ? await editRow(tx, actor, ended, site, { flagged: [DOUBT] }, MATCHED)
      : ended;
  const action = { action: 'visit.update', historyText: MATCHED, reason: undefined };
  await recordChange(tx, actor, { before: visit, after }, action);
  const { plate, corrected } = exit;
  const status = isDoubtful ? 'new' : 'reviewed';
  await changePhoto(tx, actor, exit, { plate, corrected, status, visitId: visit.id }, MATCHED);
  return { photoStatus: exit.status, before: stateOf(visit), after: stateOf(after) };
}

function foundBy(read: string | null, plate: string | null): FoundBy {
  const match = comparePlates(read ?? '', plate ?? '');
  return match === 'different' ? 'near' : match;
}

function stateOf({
  status,
  paymentStatus,
  paidUntil,
  price,
  unitsMet,
  paidMinor,
  flags,
}: VisitRow): MatchedVisit {
  return { status, paymentStatus, paidUntil, price, unitsMet, paidMinor, flags };
}

/** The visit that a match ended, and its exit, if both are still as it left them. */
export async function findMatched(
  q: Queries,
  visitId: string,
  exitReadId: string,
): Promise<{ visit: VisitRow; exit: PhotoRow } | RefusedConflict> {
  const visit = await findVisitRow(q, visitId, ALL_ROWS);
  const exit = (await findPhoto(q, exitReadId, ALL_ROWS))?.photo;
  if (visit === null || exit?.visitId !== visitId || visit.paymentStatus === 'void') return CHANGED;
  return visit.exitReadId === exitReadId && visit.endedAt === exit.receivedAt ? { visit, exit } : CHANGED;
}

/**
 * Takes a match back: the visit is open again, and the read at the exit belongs to none. What was paid or invoiced for the
 * visit meanwhile stays with it, and counts when it leaves: nothing is given back by itself. If nothing was, the visit is
 * in all as it was.
 */
export async function undoMatch(
  tx: Tx,
  actor: Actor,
  { visit, exit }: { visit: VisitRow; exit: PhotoRow },
  undo: MatchUndo,
): Promise<RefusedConflict | null> {
  const site = await siteOfVisit(tx.q, visit);
  const { siteId, plate } = visit;
  const inside = plate === null ? null : await openVisitOf(tx.q, siteId, plate, actor.at);
  if (inside !== null) return refusedConflict(mistake('other-visit-open', [], { id: inside.id }));
  const isUnpaid = hasSameMoney(visit, undo.after);
  const kept =
    visit.status === 'completed' && !isUnpaid
      ? (await takeBackToReopen(tx, actor, visit, site)).visit
      : visit;
  const flags = undo.after.flags.filter((flag) => !undo.before.flags.includes(flag));
  const after = isUnpaid
    ? await editRow(tx, actor, kept, site, restoring(undo.before, flags), MATCH_UNDONE)
    : await changeEndTime(
        tx,
        actor,
        kept,
        site,
        { endedAt: null, exit: NO_EXIT, reviewed: flags },
        MATCH_UNDONE,
      );
  const action = { action: 'visit.update', historyText: MATCH_UNDONE, reason: undefined };
  await recordChange(tx, actor, { before: visit, after: { ...after, ...NO_EXIT } }, action);
  const unmatched = { plate: exit.plate, corrected: exit.corrected, status: undo.photoStatus, visitId: null };
  await changePhoto(tx, actor, exit, unmatched, MATCH_UNDONE);
  return null;
}

function restoring(before: MatchedVisit, flags: ReviewFlag[]): VisitFields {
  const { status, paymentStatus, paidUntil, price } = before;
  return {
    endedAt: null,
    ...(flags.length > 0 && { reviewed: flags }),
    restored: { status, paymentStatus: paymentStatus === 'failed' ? null : paymentStatus, paidUntil, price },
  };
}

/** Whether nothing of it was paid, settled or invoiced since. */
function hasSameMoney(
  visit: VisitRow,
  { status, paymentStatus, unitsMet, paidMinor }: MatchedVisit,
): boolean {
  return (
    visit.status === status &&
    visit.paymentStatus === paymentStatus &&
    visit.unitsMet === unitsMet &&
    visit.paidMinor === paidMinor
  );
}
