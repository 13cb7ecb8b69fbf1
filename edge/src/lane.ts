import { visitInDoubt } from '@hlid/protocol/decision';
import { judgeRead, type ReadStanding } from '@hlid/protocol/passage';
import {
  joinPassage,
  openedAsElsewhere,
  type SeenOnBoth,
  saysAnew,
  seenOnBoth,
  seenPlate,
} from '@hlid/protocol/passage-transitions';
import type { PlateRead } from '@hlid/protocol/plate-read';
import type { GateOutcome } from '@hlid/protocol/site-event';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { CameraConfig, LaneConfig } from './config.ts';
import type { UnreadVehicle } from './decision/let-out.ts';
import type { WaitingCar } from './decision/waiting-car.ts';
import { type LaneOutcome, type LaneStepParts, type LaneSteps, NOTHING } from './lane-steps.ts';
import type { GonePassages } from './loop/gone-passages.ts';
import type { HeldBackRead } from './loop/lane-by-loop.ts';
import { passageOf } from './passage/join-passage.ts';
import { markOpened, newPassage, type Passage } from './passage/passage-store.ts';
import type { SiteLists } from './site-lists/site-lists.ts';

/** What came of a camera's read. */
export interface ReadOutcome extends LaneOutcome {
  /** A vehicle that is there, as far as anybody can tell, for which this read was not good enough. */
  unread?: UnreadVehicle;
  /** A car that left some time ago. */
  leftEarlier?: Passage;
  /** It counts once the arrival loop says that its vehicle is there. */
  heldBack?: HeldBackRead;
}

/**
 * A lane's whole sentence: a camera reads a plate; the reads of one vehicle are a passage; the passage is decided;
 * the gate opens; the visit begins or ends; the event log tells the cloud. All but the gate in one transaction,
 * which the caller holds.
 */
export interface Lane {
  pass(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadOutcome;
  /** Whether a read takes part in decisions. Needs no transaction. */
  judge(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding;
  /**
   * Whether an entrance would open for the vehicle of this read, which could not be written down. Writes nothing;
   * throws where nothing can be read either.
   */
  letsIn(read: PlateRead, camera: CameraConfig, at: UtcTime): boolean;
  /** The car that waits at the closed gate of an exit. */
  waiting(at: UtcTime): Passage | null;
  /**
   * Decides again on the car that waits at this exit, now that its visit, a permit or anything else may have changed.
   * Null: the decision is the same.
   */
  reconsider(at: UtcTime): LaneOutcome | null;
  /** The car that waits at this exit for a visit that may not be its own; null: there is none. */
  inDoubt(at: UtcTime): Passage | null;
  /** Its driver says that the visit is not his; null: no car of whose plate there is a doubt waits here for it. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome | null;
  /** A person has opened: the car that waits here goes, whatever it owes. */
  letGo(at: UtcTime, outcome: GateOutcome): Passage | null;
  /** The lane was kept closed since then, and no longer is: whoever came meanwhile is decided on. */
  reopen(closedSince: UtcTime, at: UtcTime): LaneOutcome | null;
}

export function createLane(
  parts: Pick<LaneStepParts, 'passages' | 'notes' | 'gateMode'> & {
    lane: LaneConfig;
    lists: SiteLists;
    steps: LaneSteps;
    /** Cars that have gone, by the loops. */
    gone: GonePassages;
    waitingCar: WaitingCar;
    gateIsOpen: () => boolean;
    /** Loops count who drives through, and nobody need guess. */
    countsPasses: () => boolean;
    /** A vehicle is on the arrival loop; null: nobody knows. */
    arrival: () => boolean | null;
    clockBehindMs: (cameraId: string) => number;
    /** Whether the visit is not over. */
    isInside: (visitId: string | null) => boolean;
    /** What seems late may stand before the camera now, whose clock nobody knows yet. */
    clockInDoubt: (cameraId: string) => boolean;
  },
): Lane {
  const { lane, lists, passages, notes, gone } = parts;
  const { decide, decideAgain, correct, finish } = parts.steps;
  const needsArrival = lane.loops?.readsNeedArrival === true;

  function judge(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding {
    const conditions = {
      receivedAt: at,
      camera: lists.camera(camera.id),
      clockBehindMs: parts.clockBehindMs(camera.id),
      directionReliable: camera.directionReliable,
    };
    const standing = judgeRead(read, conditions);
    // A clock that may be wrong does not outweigh a loop.
    const isThere = standing === 'late' && lateByClockOnly(read, camera) && parts.arrival() === true;
    return isThere ? judgeRead({ ...read, capturedAt: null }, conditions) : standing;
  }

  /** Nothing says that it is late but a clock that may well be wrong. */
  function lateByClockOnly(read: PlateRead, camera: CameraConfig): boolean {
    return !read.late && parts.clockInDoubt(camera.id);
  }

  /** The passage on this lane to which a read belongs. */
  function passageAtHand(read: PlateRead, at: UtcTime): Passage | null {
    const { settings } = lists.site();
    const found = passageOf(read, lane.id, at, passages, settings);
    if (!found || !gone.has(found.id, at)) return found;
    if ([read.eventKey, ...read.relatedKeys].some((key) => found.keys.has(key))) return found;
    const stillHere = (laneId: string) => passages.recent(laneId).filter(({ id }) => !gone.has(id, at));
    return passageOf(read, lane.id, at, { ...passages, recent: stillHere }, settings);
  }

  /** The car of a read that has no passage here, where another lane of this direction has let it through just now. */
  function letThroughElsewhere(plate: string | null, at: UtcTime): SeenOnBoth<Passage> | null {
    if (plate === null) return null;
    const { settings } = lists.site();
    const elsewhere = passages.withPlateElsewhere(plate, lane.id);
    const both = seenOnBoth(elsewhere, { direction: lane.direction, onLoop: parts.arrival() }, at, settings);
    // Driven out since, it is another stay.
    const over = lane.direction === 'entry' && both && !parts.isInside(both.passage.visitId);
    return over ? null : both;
  }

  function waiting(at: UtcTime): Passage | null {
    return lane.direction === 'exit' ? parts.waitingCar.find(at) : null;
  }

  function inDoubt(at: UtcTime): Passage | null {
    const known = parts.gateMode() === 'kept-closed' ? null : waiting(at);
    return known && visitInDoubt(known.decision) !== null ? known : null;
  }

  /** When the car of a late read was there, by our clock; null: that is not known, or the read says nothing else. */
  function leftAtOf(read: PlateRead, camera: CameraConfig, at: UtcTime): UtcTime | null {
    if (lane.direction !== 'exit' || read.plate === null || read.capturedAt === null) return null;
    const isOld = judge({ ...read, late: false }, camera, at) === 'late';
    const isGood = judge({ ...read, late: false, capturedAt: null }, camera, at) === 'counts';
    if (!isOld || !isGood) return null;
    return utcTime(millis(read.capturedAt) + parts.clockBehindMs(camera.id));
  }

  /** Ends the visit of a car of which this exit hears too late. */
  function endEarlier(read: PlateRead, readId: string, camera: CameraConfig, at: UtcTime): Passage | null {
    const leftAt = leftAtOf(read, camera, at);
    const candidates = read.candidates.map(({ plate }) => plate);
    if (leftAt === null) return null;
    return parts.steps.leftEarlier({ ...newPassage(read, lane.id, leftAt), readId }, candidates, at);
  }

  return {
    waiting,

    inDoubt,

    disown(visitId, typed, at) {
      const known = inDoubt(at);
      const after = known?.visitId === visitId ? parts.steps.disown(known, typed, at) : null;
      return after && finish(after, at);
    },

    judge,

    letsIn(read, camera, at) {
      if (lane.direction !== 'entry' || judge(read, camera, at) !== 'counts') return false;
      if (passages.isKnownRead(camera.id, read.eventKey)) return false;
      const known = passageAtHand(read, at);
      if (known === null && needsArrival && parts.arrival() === false) return false;
      // It has been opened to, or is being.
      if (known?.decision.open) return false;
      if (known === null && letThroughElsewhere(read.plate, at)?.standsHere === false) return false;
      const passage = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
      const guesses = read.candidates.map(({ plate }) => plate);
      return parts.steps.wouldOpen(seenPlate(passage, guesses), at);
    },

    pass(read, camera, at) {
      if (passages.isKnownRead(camera.id, read.eventKey)) return { ...NOTHING, repeated: true };
      const judged = judge(read, camera, at);
      const known = passageAtHand(read, at);
      const early = needsArrival && known === null && judged === 'counts' && parts.arrival() === false;
      const standing = early ? 'parked' : judged;
      const candidates = read.candidates.map(({ plate }) => plate);

      if (standing !== 'counts') {
        const readId = notes.read(read, camera.id, at, standing, known?.id ?? null);
        if (early) return { ...NOTHING, heldBack: { read, readId, at } };
        const mayStandHere =
          standing === 'low-score' || (standing === 'late' && lateByClockOnly(read, camera));
        const ended = standing === 'late' && known === null ? endEarlier(read, readId, camera, at) : null;
        const left = ended ? { leftEarlier: ended } : {};
        if (mayStandHere && known === null) {
          const lateFrom = standing === 'late' ? { lateFrom: camera.id } : {};
          return { ...NOTHING, ...left, unread: { read, readId, ...lateFrom } };
        }
        if (ended) return { ...NOTHING, ...left };
        if (standing === 'wrong-way' && known) notes.alert('wrong-way', known, at);
        if (standing !== 'late' || !known?.decision.open) return NOTHING;
        const corrected = correct(known, joinPassage(known, read, null), candidates, at);
        passages.save(corrected);
        return { ...NOTHING, passage: corrected };
      }

      // No plate yet: an exit waits for a better read, as long as it waits for anybody.
      if (lane.direction === 'exit' && known === null && read.plate === null) {
        const readId = notes.read(read, camera.id, at, standing, null);
        return { ...NOTHING, unread: { read, readId } };
      }

      const both = known === null ? letThroughElsewhere(read.plate, at) : null;
      if (both && !both.standsHere) {
        notes.read(read, camera.id, at, standing, both.passage.id);
        return NOTHING;
      }
      const seen = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
      const passage = { ...seen, readId: notes.read(read, camera.id, at, standing, seen.id) };
      if (both) {
        const opened = openedAsElsewhere(passage, both.passage);
        notes.decision(opened, opened.decision, at);
        return finish(opened, at);
      }
      if (known?.decision.open) return finish(correct(known, passage, candidates, at), at);
      // Kept here, and read again: it has not gone, whatever a loop said.
      if (known) gone.remove(known.id);
      if (known) return finish(decideAgain(passage, candidates, at), at);
      if (parts.gateIsOpen() && !parts.countsPasses()) notes.alert('tailgating', passage, at);
      return finish(decide(passage, candidates, at), at);
    },

    reconsider(at) {
      const known = waiting(at);
      // A lane that a person keeps closed decides when it is opened again.
      if (!known || parts.gateMode() === 'kept-closed') return null;
      const after = decideAgain(known, [], at);
      return saysAnew(after, known) ? finish(after, at) : null;
    },

    letGo(at, outcome) {
      const known = parts.waitingCar.find(at);
      const letGo = known && markOpened(decideAgain(known, [], at, true), at, outcome);
      if (letGo) passages.save(letGo);
      return letGo;
    },

    reopen(closedSince, at) {
      const [latest] = passages.recent(lane.id);
      const cameMeanwhile =
        latest?.decision.reason === 'closed-by-operator' && latest.lastSeenAt >= closedSince;
      // Who waited there before may have paid meanwhile.
      const known = cameMeanwhile && !gone.hasLeft(latest.id) ? latest : waiting(at);
      return known && finish(decideAgain(known, [], at), at);
    },
  };
}
