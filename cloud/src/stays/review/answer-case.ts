import { createHash } from 'node:crypto';
import { newId } from '@hlid/node/new-id';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, desc, eq, lte, sql } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedConflict,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import {
  type AnswerRow,
  reviewAnswerTable as a,
  reviewClaimTable as c,
  type VisitState,
} from '../../records/review/review-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { flagVisit } from '../../records/visits/flag-visit.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { changePhoto, editPhotoWithin, isOther } from '../photos/edit-photo.ts';
import { type FoundPhoto, findPhoto } from '../photos/find-photos.ts';
import { needsPerson, type PhotoOutcome } from '../photos/photo.ts';
import { reviewVisitWithin } from '../visits/edit/review-visit.ts';
import { factsOf, PICTURE_FLAGS } from './review-queue.ts';

export const CLAIM_MS = MINUTE_MS;

/** One decided picture in this number is shown to another person. */
const BLIND_ONE_IN = 20;

/** Whether two people review a picture; by its id, so that it cannot be chosen and every cloud agrees. */
export function needsBlindReview(photoId: string): boolean {
  return createHash('sha256').update(photoId).digest().readUInt32BE() % BLIND_ONE_IN === 0;
}

export type Answer = { answer: 'plate'; plate: string } | { answer: 'none' } | { answer: 'skip' };

/** The result of an answer. `for-office`: the picture is decided, and its visit cannot follow by itself. */
export type AnswerOutcome = PhotoOutcome | 'for-office' | 'skipped';

export type RefusedAnswer = Exclude<Refused, { reason: 'already-there' }> | RefusedConflict;

/** Claims a picture for a minute, or renews the claim. */
export async function claimCase(
  db: Db,
  actor: Actor,
  photoId: string,
): Promise<{ ok: true; until: UtcTime } | RefusedAnswer> {
  const accountId = accountOf(actor);
  return await db.write(async ({ q }) => {
    const found = await findPhoto(q, photoId, ownRows(actor.caller));
    if (found === null || found.photo.status === 'deleted') return NOT_FOUND;
    const other = await claimOfOther(q, photoId, actor);
    if (other !== null) return other;
    const until = utcTime(millis(actor.at) + CLAIM_MS);
    await q.delete(c).where(lte(c.until, actor.at));
    await q
      .insert(c)
      .values({ photoId, accountId, until })
      .onConflictDoUpdate({ target: c.photoId, set: { accountId, until } });
    return { ok: true, until };
  });
}

/** Gives a picture back to the others before its minute is over. */
export async function releaseCase(
  db: Db,
  actor: Actor,
  photoId: string,
): Promise<{ ok: true } | RefusedAnswer> {
  return await db.write(async ({ q }) => {
    if ((await findPhoto(q, photoId, ownRows(actor.caller))) === null) return NOT_FOUND;
    await q.delete(c).where(and(eq(c.photoId, photoId), eq(c.accountId, accountOf(actor))));
    return { ok: true };
  });
}

/** Records a person's answer about a picture, and applies it to its visit and the site. */
export async function answerCase(
  db: Db,
  actor: Actor,
  photoId: string,
  answer: Answer,
): Promise<{ ok: true; outcome: AnswerOutcome; mistakes: Mistake[] } | RefusedAnswer> {
  return await db.write(async (tx) => {
    const { q } = tx;
    const found = await findPhoto(q, photoId, ownRows(actor.caller));
    if (found === null) return NOT_FOUND;
    if (found.photo.status === 'deleted') return refusedInput(mistake('picture-deleted'));
    const other = await claimOfOther(q, photoId, actor);
    if (other !== null) return other;
    const row = await newAnswer(q, actor, found, answer);
    await q.delete(c).where(eq(c.photoId, photoId));
    if (answer.answer === 'skip') {
      await q.insert(a).values({ ...row, kind: 'skip' });
      return { ok: true, outcome: 'skipped', mistakes: [] };
    }
    if (needsPerson(found.photo)) await forgetAnswers(q, photoId);
    const { first, blind, final } = await answersOf(q, photoId);
    if (first === undefined) {
      const awaitsBlind = needsBlindReview(photoId);
      return await decide(tx, actor, found, answer, { ...row, kind: 'first', awaitsBlind });
    }
    if (first.awaitsBlind && first.accountId !== row.accountId) return await lookBlind(q, first, row);
    if (blind?.agrees === false && final === undefined) {
      return await decide(tx, actor, found, answer, { ...row, kind: 'final' });
    }
    return refusedConflict(mistake('picture-decided'));
  });
}

/** The second review changes nothing, and is answered as the first was, so that the reviewer cannot tell. */
async function lookBlind(q: Queries, first: AnswerRow, row: AnswerRow) {
  const { readPlate, causes, plateEffect } = first;
  const agrees = row.plate === first.plate;
  const shown = { readPlate, causes, plateEffect, misread: misreadOf(row.plate, readPlate) };
  await q.insert(a).values({ ...row, ...shown, kind: 'blind', agrees });
  await q.update(a).set({ awaitsBlind: false }).where(eq(a.id, first.id));
  const outcome: AnswerOutcome =
    row.plate === null || row.plate === readPlate || plateEffect === 'photo-only'
      ? 'photo-only'
      : plateEffect === 'visit-end'
        ? 'visit-ended'
        : 'visit-corrected';
  return { ok: true as const, outcome, mistakes: [] };
}

async function decide(
  tx: Tx,
  actor: Actor,
  found: FoundPhoto,
  answer: Exclude<Answer, { answer: 'skip' }>,
  row: AnswerRow,
): Promise<{ ok: true; outcome: AnswerOutcome; mistakes: Mistake[] } | RefusedAnswer> {
  const { photo, visitId } = found;
  const edit = { status: 'reviewed' as const, ...(answer.answer === 'plate' && { plate: answer.plate }) };
  const before = visitId === null ? null : await findVisitRow(tx.q, visitId, ALL_ROWS);
  const edited = await editPhotoWithin(tx, actor, photo.id, edit);
  let outcome: AnswerOutcome;
  let mistakes: Mistake[] = [];
  if (edited.ok) {
    outcome = edited.outcome;
  } else if (edited.reason === 'input' && answer.answer === 'plate') {
    // The answer about the picture is stored all the same.
    ({ mistakes } = edited);
    outcome = 'for-office';
    const { plate } = answer;
    const corrected = photo.corrected || isOther(photo, plate);
    const { visitId: ofPhoto } = photo;
    const after = { plate, corrected, status: 'reviewed', visitId: ofPhoto } as const;
    await changePhoto(tx, actor, photo, after, undefined);
    if (before !== null) await flagVisit(tx, before, 'uncertain-plate', actor.at);
  } else {
    return NOT_FOUND;
  }
  const changedId = (await findPhoto(tx.q, photo.id, ALL_ROWS))?.visitId ?? visitId;
  const visit = before ?? (await visitBefore(tx.q, changedId, photo.id));
  if (changedId !== null && outcome !== 'for-office') {
    await clearDecided(tx, actor, changedId, photo.plate, row.plate);
  }
  const after = changedId === null ? null : await findVisitRow(tx.q, changedId, ALL_ROWS);
  const { plate, corrected, status } = photo;
  await tx.q.insert(a).values({
    ...row,
    undo: {
      photo: { plate, corrected, status, visitId: photo.visitId },
      visit: visit && stateOf(visit),
      visitAfter: after && stateOf(after),
    },
  });
  return { ok: true, outcome, mistakes };
}

/** A visit that this exit ended was open until then. */
async function visitBefore(q: Queries, id: string | null, exitReadId: string): Promise<VisitState | null> {
  const ended = id === null ? null : await findVisitRow(q, id, ALL_ROWS);
  if (ended === null || ended.exitReadId !== exitReadId) return null;
  return { ...stateOf(ended), status: 'new', paymentStatus: null, endedAt: null, exitReadId: null };
}

function stateOf(visit: VisitRow | VisitState): VisitState {
  const { id, plate, plateByPerson, status, paymentStatus, endedAt, exitReadId, flags } = visit;
  return { id, plate, plateByPerson, status, paymentStatus, endedAt, exitReadId, flags };
}

/** Removes flags with a question that the picture has answered, here and at the site. */
async function clearDecided(
  tx: Tx,
  actor: Actor,
  visitId: string,
  read: string | null,
  seen: string | null,
): Promise<void> {
  if (seen === null) return;
  const confusable = read !== null && read !== seen && foldPlate(read) === foldPlate(seen);
  const flags = PICTURE_FLAGS.filter((flag): boolean => {
    switch (flag) {
      case 'uncertain-plate':
      case 'unreadable-plate':
        return true;
      // It only looked like a plate that is blocked.
      case 'blocklist-lookalike':
        return read === seen;
      // Its plate was that of the permit.
      case 'uncertain-permit':
        return confusable;
      default:
        return flag satisfies never;
    }
  }) satisfies ReviewFlag[];
  await reviewVisitWithin(tx, actor, visitId, { flags, reason: 'seen on the picture' });
}

async function newAnswer(q: Queries, actor: Actor, found: FoundPhoto, answer: Answer): Promise<AnswerRow> {
  const { photo } = found;
  const accountId = accountOf(actor);
  const { read, causes, plateEffect } = await factsOf(q, found, { accountId, now: actor.at });
  const plate = answer.answer === 'plate' ? answer.plate : null;
  const timeZone = (await siteById(q, photo.siteId))?.timeZone ?? 'UTC';
  return {
    id: newId(),
    photoId: photo.id,
    kind: 'first',
    accountId,
    answeredAt: actor.at,
    siteId: photo.siteId,
    cameraId: photo.cameraId,
    plate,
    readPlate: read,
    causes,
    plateEffect,
    hour: Math.floor(wallClock(photo.receivedAt, timeZone).minute / 60),
    misread: misreadOf(plate, read),
    awaitsBlind: false,
    agrees: null,
    undo: null,
  };
}

function misreadOf(plate: string | null, read: string | null): boolean | null {
  return plate === null ? null : plate !== read;
}

/** Forgets the answers about a picture that is marked for review again. */
async function forgetAnswers(q: Queries, photoId: string): Promise<void> {
  await q.delete(a).where(and(eq(a.photoId, photoId), sql`${a.kind} <> 'skip'`));
}

export async function answersOf(q: Queries, photoId: string) {
  const rows = await q.select().from(a).where(eq(a.photoId, photoId)).orderBy(desc(a.answeredAt));
  const of = (kind: AnswerRow['kind']) => rows.find((row) => row.kind === kind);
  return { rows, first: of('first'), blind: of('blind'), final: of('final') };
}

async function claimOfOther(q: Queries, photoId: string, actor: Actor): Promise<RefusedConflict | null> {
  const [claim] = await q.select().from(c).where(eq(c.photoId, photoId));
  if (claim === undefined || claim.until <= actor.at || claim.accountId === accountOf(actor)) return null;
  return refusedConflict(mistake('picture-claimed'));
}

export function accountOf({ caller }: Actor): string {
  if (caller.kind !== 'account') throw new Error('only people review pictures');
  return caller.accountId;
}
