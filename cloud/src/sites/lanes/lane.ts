import { newId } from '@hlid/node/new-id';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { judgeRead, type ReadStanding } from '@hlid/protocol/records/passage';
import {
  alertsOf,
  hasNewDecision,
  joinPassage,
  openedAsElsewhere,
  seenPlate,
} from '@hlid/protocol/rules/passage-transitions';
import type { Tx } from '../../platform/db/db.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { recordAlert, recordDecision } from '../../records/passages/record-passage.ts';
import { noteCarAtExit } from '../../stays/charges/note-due.ts';
import type { CloudLane } from './cloud-lane.ts';
import { carryOut, decideAtLane, decideLeftEarlier } from './decide-at-lane.ts';
import { noteDoubt } from './doubtful-cars.ts';
import {
  type LanePassage,
  mayBeGone,
  newPassage,
  passageById,
  passageOf,
  passedAtOtherLane,
  savePassage,
} from './lane-passage.ts';
import { correctVisit, undoExit } from './lane-visits.ts';
import { noteSeenBeside, noteStanding } from './standing-plates.ts';

/** The outcome of a read. */
export interface LaneOutcome {
  standing: ReadStanding;
  /** The passage to which it belongs, after it; null: to none. */
  passage: LanePassage | null;
}

/** When the read arrived: in time; after the gate was opened; when the vehicle had left. */
type Arrival = 'in-time' | 'opened' | 'passed';

/**
 * The whole way of a read, for sites without an edge daemon. A camera reads a plate; the reads of one vehicle
 * are a passage; the passage is decided; the visit begins or ends. The cloud moves no gate: the answer to the
 * posted read has the decision. All of it is in the transaction that stores the read.
 *
 * One thing differs from a site with its own daemon. Agents in cameras that only post to the network send one
 * document per vehicle, some seconds after it has passed: it opens nothing, and the visit is recorded all the
 * same.
 */
export async function passLane(
  tx: Tx,
  lane: CloudLane,
  read: PlateRead,
  { readId, at, clockBehindMs }: { readId: string; at: UtcTime; clockBehindMs: number },
): Promise<LaneOutcome> {
  const { status, minimumOcrScore, filters } = lane.camera;
  const conditions = {
    receivedAt: at,
    camera: { status, minimumOcrScore, filters },
    clockBehindMs,
    directionReliable: false,
  };
  const standing = judgeRead(read, conditions);
  const known = await passageOf(tx.q, lane, read, at);
  const candidates = read.candidates.map(({ plate }) => plate);
  const justPassed = read.late && judgeRead({ ...read, late: false }, conditions) === 'counts';
  if (standing === 'counts' || justPassed) {
    const stands = await noteStanding(tx, lane, read, known, at);
    if (stands) return await keepStanding(tx, lane, read, stands, at);
  }

  const both =
    standing === 'counts' && known === null ? await passedAtOtherLane(tx.q, lane, read.plate, at) : null;
  if (both) {
    const opened = openedAsElsewhere(newPassage(lane, read, readId, at), both.passage);
    // A read that stands at the other lane is not decided here: the answer opens nothing.
    if (!both.standsHere) {
      await noteSeenBeside(tx.q, lane, read, both.passage, at);
      return { standing, passage: closed(opened) };
    }
    await noteDecision(tx, lane, opened, at);
    await savePassage(tx.q, opened);
    return { standing, passage: opened };
  }
  if (standing === 'counts') {
    const seen =
      known === null ? newPassage(lane, read, readId, at) : { ...joinPassage(known, read, at), readId };
    const passage = await passageAfter(tx, lane, known, seen, candidates, at);
    return { standing, passage };
  }
  if (standing !== 'late') return { standing, passage: known };
  if (known !== null) {
    if (!mayBeGone(known)) return { standing, passage: known };
    const corrected = await correct(tx, lane, known, joinPassage(known, read, null), candidates, at);
    await savePassage(tx.q, corrected);
    return { standing, passage: corrected };
  }
  if (!justPassed) {
    const isGood = judgeRead({ ...read, late: false, capturedAt: null }, conditions) === 'counts';
    if (!isGood || read.capturedAt === null || lane.direction !== 'exit') return { standing, passage: null };
    const leftAt = utcTime(millis(read.capturedAt) + clockBehindMs);
    const left = newPassage(lane, read, readId, leftAt);
    return { standing, passage: await endEarlier(tx, lane, left, candidates, at) };
  }
  const passage = await decide(tx, lane, newPassage(lane, read, readId, at), candidates, at, 'passed');
  await noteDecision(tx, lane, passage, at);
  await savePassage(tx.q, passage);
  return { standing, passage };
}

/**
 * Stores a read of a plate that stands still: no car has come, the answer opens nothing, and people are
 * advised once.
 */
async function keepStanding(
  tx: Tx,
  lane: CloudLane,
  { plate }: PlateRead,
  { passageId, isNew }: { passageId: string | null; isNew: boolean },
  at: UtcTime,
): Promise<LaneOutcome> {
  const { id: laneId, site } = lane;
  const alert = {
    id: newId(),
    siteId: site.id,
    laneId,
    at,
    alert: 'stands-still',
    plate,
    passageId,
  } as const;
  if (isNew) await recordAlert(tx.q, alert);
  const passage = passageId === null ? null : await passageById(tx.q, passageId);
  return { standing: 'parked', passage: passage && closed(passage) };
}

function closed(passage: LanePassage): LanePassage {
  return { ...passage, decision: { ...passage.decision, open: false } };
}

/** Ends the visit of a car that left at the time of the passage, of which the read arrives only now. */
async function endEarlier(
  tx: Tx,
  lane: CloudLane,
  before: LanePassage,
  candidates: readonly string[],
  at: UtcTime,
): Promise<LanePassage | null> {
  const leftAt = before.lastSeenAt;
  const seen = { plate: before.plate, score: before.score, candidates };
  const decided = await decideLeftEarlier(tx.q, lane, seen, leftAt);
  if (!decided) return null;
  const visitId = await carryOut(tx, lane, before, decided, leftAt, true);
  const passage = { ...before, decision: { ...decided.decision, open: false }, visitId, passed: true };
  await noteDecision(tx, lane, passage, at);
  await savePassage(tx.q, passage);
  return passage;
}

async function passageAfter(
  tx: Tx,
  lane: CloudLane,
  before: LanePassage | null,
  seen: LanePassage,
  candidates: readonly string[],
  at: UtcTime,
): Promise<LanePassage> {
  let after: LanePassage;
  if (before === null) {
    after = await decide(tx, lane, seen, candidates, at, 'in-time');
    await noteDecision(tx, lane, after, at);
  } else if (mayBeGone(before)) {
    after = await correct(tx, lane, before, { ...seen, readId: before.readId }, candidates, at);
  } else {
    after = await decideAgain(tx, lane, seen, candidates, at, 'in-time');
  }
  await savePassage(tx.q, after);
  return after;
}

/** Decides, and changes the visit accordingly. */
async function decide(
  tx: Tx,
  lane: CloudLane,
  passage: LanePassage,
  candidates: readonly string[],
  at: UtcTime,
  arrival: Arrival,
): Promise<LanePassage> {
  const seen = seenPlate(passage, candidates);
  const decided = await decideAtLane(tx.q, lane, seen, at);
  const visitId = await carryOut(tx, lane, passage, decided, at, arrival !== 'in-time');
  const { decision } = decided;
  const open = arrival === 'in-time' ? decision.open : arrival === 'opened';
  return { ...passage, decision: { ...decision, open }, visitId, passed: arrival === 'passed' };
}

/** Decides again, and records the decision where it is new. */
async function decideAgain(
  tx: Tx,
  lane: CloudLane,
  before: LanePassage,
  candidates: readonly string[],
  at: UtcTime,
  arrival: Arrival,
): Promise<LanePassage> {
  const after = await decide(tx, lane, before, candidates, at, arrival);
  if (hasNewDecision(after, before)) await noteDecision(tx, lane, after, at);
  return after;
}

/** A better reading of a car that may be gone: it can only correct. */
async function correct(
  tx: Tx,
  lane: CloudLane,
  before: LanePassage,
  after: LanePassage,
  candidates: readonly string[],
  at: UtcTime,
): Promise<LanePassage> {
  if (after.plate === null || after.plate === before.plate) return after;
  if (lane.direction === 'exit') {
    const arrival = before.passed ? 'passed' : 'opened';
    if (after.visitId === null) return await decideAgain(tx, lane, after, candidates, at, arrival);
    const isUndone = await undoExit(tx, lane, before, after, at);
    return isUndone ? await decideAgain(tx, lane, { ...after, visitId: null }, [], at, arrival) : after;
  }
  if (after.visitId !== null) {
    const plate = { before: before.plate, after: after.plate };
    const context = { at, by: `lane:${lane.id}`, reason: 'read-again' };
    await correctVisit(tx, lane, after.visitId, plate, context);
  }
  return after;
}

/** Records the decision on a passage, and its alerts. */
export async function noteDecision(
  tx: Tx,
  lane: Pick<CloudLane, 'id' | 'site' | 'direction'>,
  passage: LanePassage,
  at: UtcTime,
): Promise<void> {
  const { id: passageId, plate, decision, visitId } = passage;
  const { open, reason } = decision;
  const place = { siteId: lane.site.id, laneId: lane.id, at };
  await recordDecision(tx.q, {
    id: newId(),
    ...place,
    passageId,
    direction: lane.direction,
    plate,
    visitId,
    open,
    reason,
    decision,
    feedAt: (await readHead(tx.q, lane.site.id)).n,
  });
  await noteDoubt(tx.q, place, { passageId, direction: lane.direction, plate, decision });
  await noteCarAtExit(tx, { direction: lane.direction, plate, decision }, { ...place, arrivedAt: at });
  for (const alert of alertsOf(decision)) {
    await recordAlert(tx.q, { id: newId(), ...place, alert, plate, passageId });
  }
}
