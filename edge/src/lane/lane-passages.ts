import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import {
  findPassage,
  judgeRead,
  plateForOtherLanes,
  type ReadingConditions,
  type ReadStanding,
  sharesEvent,
} from '@hlid/protocol/records/passage';
import {
  joinPassage,
  openedAsElsewhere,
  type SeenOnBoth,
  seenOnBoth,
  seenPlate,
} from '@hlid/protocol/rules/passage-transitions';
import type { LaneAlert } from '@hlid/protocol/site-link/site-event';
import type { CameraConfig } from '../config/config.ts';
import { letsAllThrough } from '../gate/gate-mode.ts';
import { newPassage, type Passage } from '../passage/passage-store.ts';
import type { CarsAtGate } from './cars-at-gate.ts';
import type { UnreadVehicle } from './exit-timeout.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import { type LaneOutcome, NOTHING } from './lane-outcome.ts';
import type { LaneContext } from './lane-site.ts';
import { StandingPlates } from './standing-plates.ts';

/** A read that came before its vehicle was on the arrival loop. */
export interface HeldBackRead {
  read: PlateRead;
  readId: string;
  at: UtcTime;
}

/** The result of a camera's read. */
export interface ReadOutcome extends LaneOutcome {
  /** A vehicle that is there, as far as is known, for which this read was not good enough. */
  unread?: UnreadVehicle;
  /** A car that left some time ago. */
  leftEarlier?: Passage;
  /** It counts once the arrival loop reports its vehicle. */
  heldBack?: HeldBackRead;
  /** It is of something that stands still in view. */
  stands?: true;
}

/**
 * The passages of a lane: the reads of one vehicle are one passage, and each passage is decided. All in one
 * transaction, which the caller holds.
 */
export class LanePassages {
  readonly #context: LaneContext;
  readonly #cars: CarsAtGate;
  readonly #decisions: LaneDecisions;
  readonly #needsArrival: boolean;
  readonly #standing: StandingPlates;

  constructor(context: LaneContext, cars: CarsAtGate, decisions: LaneDecisions) {
    this.#context = context;
    this.#cars = cars;
    this.#decisions = decisions;
    this.#needsArrival = context.lane.loops?.readsNeedArrival === true;
    this.#standing = new StandingPlates(context);
  }

  /** Whether a read counts in decisions. Needs no transaction. */
  judge(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding {
    const { lists, cameraClocks, loops } = this.#context;
    const conditions: ReadingConditions = {
      receivedAt: at,
      camera: lists.camera(camera.id),
      clockBehindMs: cameraClocks.clockBehindMs(camera.id),
      directionReliable: camera.directionReliable,
    };
    const standing = judgeRead(read, conditions);
    // A clock that may be wrong does not outweigh a loop.
    const isThere = standing === 'late' && this.#lateByClockOnly(read, camera) && loops.arrival() === true;
    return isThere ? judgeRead({ ...read, capturedAt: null }, conditions) : standing;
  }

  /** Stores a read that was judged when it came, and decides on its vehicle. */
  pass(given: PlateRead, judged: ReadStanding, camera: CameraConfig, at: UtcTime): ReadOutcome {
    const read = this.#context.passages.asNewRead(camera.id, given, at);
    if (read === null) return { ...NOTHING, repeated: true };
    const known = this.#passageOf(read, at);
    const stands = judged === 'counts' ? this.#standing.note(read, known, at) : null;
    if (stands) return this.#keepStanding(read, camera, at, stands);
    const early =
      this.#needsArrival && known === null && judged === 'counts' && this.#context.loops.arrival() === false;
    if (early) {
      const readId = this.#decisions.recorder.read(read, camera.id, at, 'parked', null);
      return { ...NOTHING, heldBack: { read, readId, at } };
    }
    return judged === 'counts'
      ? this.#decisions.recorder.deciding(() => this.#decideRead(read, camera, known, at))
      : this.#storeRead(read, camera, known, judged, at);
  }

  /**
   * Whether an entrance would open for the vehicle of this read, which counts and could not be stored. Writes nothing;
   * throws where nothing can be read either.
   */
  wouldAdmit(read: PlateRead, camera: CameraConfig, at: UtcTime): boolean {
    const { lane, passages, loops } = this.#context;
    if (lane.direction !== 'entry') return false;
    if (passages.asNewRead(camera.id, read, at) === null) return false;
    const known = this.#passageOf(read, at);
    if (known === null && this.#needsArrival && loops.arrival() === false) return false;
    if (this.#standing.stands(read, known, at)) return false;
    // It has been opened to, or is being.
    if (known?.decision.open) return false;
    if (known === null && this.#passedAtOtherLane(read.plate, at)?.standsHere === false) return false;
    const passage = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
    return this.#decisions.wouldOpen(seenPlate(passage, guessesOf(read)), at);
  }

  /** Stores a read of a plate that stands still: no car has come, and people are advised once. */
  #keepStanding(
    read: PlateRead,
    camera: CameraConfig,
    at: UtcTime,
    { passageId, isNew }: { passageId: string | null; isNew: boolean },
  ): ReadOutcome {
    const { recorder } = this.#decisions;
    recorder.read(read, camera.id, at, 'parked', passageId);
    if (isNew) recorder.alert('stands-still', { id: passageId, plate: read.plate }, at);
    return { ...NOTHING, stands: true };
  }

  /** A read that counts. */
  #decideRead(read: PlateRead, camera: CameraConfig, known: Passage | null, at: UtcTime): ReadOutcome {
    const { lane, gate, loops } = this.#context;
    const decisions = this.#decisions;
    const { recorder } = decisions;
    const guesses = guessesOf(read);
    const store = (passageId: string | null) => recorder.countedRead(read, camera.id, at, passageId);

    // No plate yet: an exit waits for a better read, as long as it waits at all.
    if (lane.direction === 'exit' && known === null && read.plate === null) {
      return { ...NOTHING, unread: { read, readId: store(null) } };
    }
    const both = known === null ? this.#passedAtOtherLane(read.plate, at) : null;
    if (both && !both.standsHere) {
      store(both.passage.id);
      this.#standing.seenBeside(read, both.passage, at);
      return NOTHING;
    }
    const seen = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
    const passage = { ...seen, readId: store(seen.id) };
    if (both) {
      const opened = openedAsElsewhere(passage, both.passage);
      recorder.decision(opened, at);
      return decisions.finish(opened, at);
    }
    if (known?.decision.open) return decisions.finish(decisions.correct(known, passage, guesses, at), at);
    if (known) {
      this.#cars.isHere(known.id);
      return decisions.finish(decisions.decideAgain(passage, guesses, at), at);
    }
    const alerts: LaneAlert[] = gate.isOpen() && !loops.countsPasses() ? ['tailgating'] : [];
    return decisions.finish(decisions.decide(passage, guesses, at, { alerts }), at);
  }

  /** A read that opens nothing is stored; it may show a vehicle that is there, correct a plate or end a visit. */
  #storeRead(
    read: PlateRead,
    camera: CameraConfig,
    known: Passage | null,
    standing: Exclude<ReadStanding, 'counts'>,
    at: UtcTime,
  ): ReadOutcome {
    const { recorder } = this.#decisions;
    const readId = recorder.read(read, camera.id, at, standing, known?.id ?? null);
    if (known === null) {
      const ended = standing === 'late' ? this.#endEarlier(read, readId, camera, at) : null;
      const left = ended ? { leftEarlier: ended } : {};
      const mayStandHere =
        standing === 'low-score' || (standing === 'late' && this.#lateByClockOnly(read, camera));
      if (!mayStandHere) return { ...NOTHING, ...left };
      const lateFrom = standing === 'late' ? { lateFrom: camera.id } : {};
      return { ...NOTHING, ...left, unread: { read, readId, ...lateFrom } };
    }
    if (standing === 'wrong-way') recorder.alert('wrong-way', known, at);
    if (standing !== 'late' || !known.decision.open) return NOTHING;
    const joined = joinPassage(known, read, null);
    const corrected = this.#decisions.correct(known, joined, guessesOf(read), at);
    this.#context.passages.save(corrected);
    return { ...NOTHING, passage: corrected };
  }

  /** Whether only a clock that may be wrong makes the read late. */
  #lateByClockOnly(read: PlateRead, camera: CameraConfig): boolean {
    return !read.late && this.#context.cameraClocks.inDoubt(camera.id);
  }

  /** The passage on this lane to which a read belongs. */
  #passageOf(read: PlateRead, at: UtcTime): Passage | null {
    const { lane, lists, passages } = this.#context;
    const recent = passages.recent(lane.id);
    const found = this.#findPassage(read, at, recent);
    if (!found || !this.#cars.isOver(found.id, at)) return found;
    if (sharesEvent(found, read, at, lists.site().settings)) return found;
    return this.#findPassage(
      read,
      at,
      recent.filter(({ id }) => !this.#cars.isOver(id, at)),
    );
  }

  #findPassage(read: PlateRead, at: UtcTime, recent: readonly Passage[]): Passage | null {
    const { lane, lists, passages, gate, loops } = this.#context;
    const { settings } = lists.site();
    const [latest] = recent;
    const hasGone = latest !== undefined && this.#cars.hasDeparted(latest.id);
    const windows = {
      passageWindowMs: settings.passageWindowMs,
      standingMs: settings.standingMs,
      flows: letsAllThrough(gate.mode()) || hasGone,
      anotherSince: loops.anotherSince(),
    };
    const found = findPassage(read, at, recent, windows, ({ decision }) => decision.open);
    if (found === null) return null;
    const plate = plateForOtherLanes(found, read);
    return plate !== null && passages.seenElsewhere(plate, lane.id, found.lastSeenAt) ? null : found;
  }

  /** The car of a read that has no passage here, where another lane of this direction has let it through just now. */
  #passedAtOtherLane(plate: string | null, at: UtcTime): SeenOnBoth<Passage> | null {
    if (plate === null) return null;
    const { lane, lists, passages, loops } = this.#context;
    const { settings } = lists.site();
    const elsewhere = passages.withPlateElsewhere(plate, lane.id);
    const both = seenOnBoth(elsewhere, { direction: lane.direction, onLoop: loops.arrival() }, at, settings);
    // Driven out since, it is another stay.
    const over = lane.direction === 'entry' && both && !this.#isInside(both.passage.visitId);
    return over ? null : both;
  }

  #isInside(visitId: string | null): boolean {
    return visitId !== null && this.#context.visits.get(visitId)?.endedAt === null;
  }

  /** Ends the visit of a car that this exit reports too late. */
  #endEarlier(read: PlateRead, readId: string, camera: CameraConfig, at: UtcTime): Passage | null {
    const leftAt = this.#leftAtOf(read, camera, at);
    if (leftAt === null) return null;
    const passage = { ...newPassage(read, this.#context.lane.id, leftAt), readId };
    return this.#decisions.leftEarlier(passage, guessesOf(read), at);
  }

  /**
   * When the car of a late read was there, by our clock; null: that is not known, or the read reports the
   * same time.
   */
  #leftAtOf(read: PlateRead, camera: CameraConfig, at: UtcTime): UtcTime | null {
    const { lane, cameraClocks } = this.#context;
    if (lane.direction !== 'exit' || read.plate === null || read.capturedAt === null) return null;
    const isOld = this.judge({ ...read, late: false }, camera, at) === 'late';
    const isGood = this.judge({ ...read, late: false, capturedAt: null }, camera, at) === 'counts';
    if (!isOld || !isGood) return null;
    return utcTime(millis(read.capturedAt) + cameraClocks.clockBehindMs(camera.id));
  }
}

/** The other plates that the camera reports as possible. */
function guessesOf(read: PlateRead): string[] {
  return read.candidates.map(({ plate }) => plate);
}
