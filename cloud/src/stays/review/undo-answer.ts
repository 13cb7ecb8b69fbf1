import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, refusedConflict } from '../../platform/refused.ts';
import {
  type AnswerUndo,
  reviewAnswerTable as a,
  reviewClaimTable as c,
  type VisitState,
} from '../../records/review/review-table.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { changePhoto } from '../photos/edit-photo.ts';
import { findPhoto } from '../photos/find-photos.ts';
import { editRow } from '../visits/change/change-visit.ts';
import { recordChange } from '../visits/change/record-change.ts';
import { changeEndTime, NO_EXIT } from '../visits/edit/change-end-time.ts';
import { accountOf, answersOf, CLAIM_MS, type RefusedAnswer } from './answer-case.ts';

const CHANGED = refusedConflict(mistake('changed-since'));

const UNDONE = 'answer undone';

/**
 * Takes back the caller's newest answer to a picture. The photo and its visit are as before, here and at the
 * site, and the picture is the caller's again for a minute. It is refused if the photo or its visit was
 * changed since.
 */
export async function undoAnswer(
  db: Db,
  actor: Actor,
  photoId: string,
): Promise<{ ok: true } | RefusedAnswer> {
  const accountId = accountOf(actor);
  return await db.write(async (tx) => {
    const found = await findPhoto(tx.q, photoId, ownRows(actor.caller));
    const { rows, first, blind, final } = await answersOf(tx.q, photoId);
    const own = rows.find((row) => row.accountId === accountId);
    if (found === null) return NOT_FOUND;
    if (own === undefined) return { ok: true };
    const isLast = own.kind === 'first' ? blind === undefined : own.kind !== 'blind' || final === undefined;
    if (!isLast) return CHANGED;
    if (own.undo !== null) {
      const isUndone = await putBack(tx, actor, photoId, own.plate, own.undo);
      if (!isUndone) return CHANGED;
    }
    await tx.q.delete(a).where(eq(a.id, own.id));
    if (own.kind === 'blind' && first !== undefined) {
      await tx.q.update(a).set({ awaitsBlind: true }).where(eq(a.id, first.id));
    }
    const until = utcTime(millis(actor.at) + CLAIM_MS);
    await tx.q.insert(c).values({ photoId, accountId, until }).onConflictDoNothing();
    return { ok: true };
  });
}

/** @returns false: something has changed since, and nothing is put back */
async function putBack(
  tx: Tx,
  actor: Actor,
  photoId: string,
  answered: string | null,
  { photo, visit, visitAfter }: AnswerUndo,
): Promise<boolean> {
  const now = (await findPhoto(tx.q, photoId, ALL_ROWS))?.photo;
  if (now === undefined || now.status !== 'reviewed' || now.plate !== (answered ?? photo.plate)) return false;
  if (visit !== null && visitAfter !== null) {
    const row = await findVisitRow(tx.q, visit.id, ALL_ROWS);
    if (row === null || !isAs(row, visitAfter)) return false;
    await putVisitBack(tx, actor, row, visit);
    await releaseExit(tx, actor, photoId, visit, visitAfter);
  }
  await changePhoto(tx, actor, now, photo, UNDONE);
  return true;
}

function isAs(row: VisitRow, { plate, status, paymentStatus, endedAt }: VisitState): boolean {
  return (
    row.plate === plate &&
    row.status === status &&
    row.paymentStatus === paymentStatus &&
    row.endedAt === endedAt
  );
}

async function putVisitBack(tx: Tx, actor: Actor, row: VisitRow, before: VisitState): Promise<void> {
  const site = await siteOfVisit(tx.q, row);
  const plate = row.plate === before.plate ? undefined : before.plate;
  let after = row;
  if (row.endedAt !== before.endedAt) {
    const to = { endedAt: before.endedAt, exit: NO_EXIT, plate };
    after = await changeEndTime(tx, actor, row, site, to, UNDONE);
  } else if (plate !== undefined) {
    after = await editRow(tx, actor, row, site, { plate }, UNDONE);
  }
  const flagged = before.flags.filter((flag) => !after.flags.includes(flag));
  if (flagged.length > 0) after = await editRow(tx, actor, after, site, { flagged }, UNDONE);
  if (after === row) return;
  after = { ...after, plateByPerson: before.plateByPerson };
  const visit = { before: row, after };
  await recordChange(tx, actor, visit, { action: 'visit.update', historyText: UNDONE, reason: undefined });
}

/** The read of an exit that an entrance's plate had found waits for a person again. */
async function releaseExit(
  tx: Tx,
  actor: Actor,
  photoId: string,
  { exitReadId: before }: VisitState,
  { exitReadId: after }: VisitState,
): Promise<void> {
  if (after === null || after === before || after === photoId) return;
  const exit = (await findPhoto(tx.q, after, ALL_ROWS))?.photo;
  if (exit === undefined) return;
  const { plate, corrected } = exit;
  await changePhoto(tx, actor, exit, { plate, corrected, status: 'need-review', visitId: null }, UNDONE);
}
