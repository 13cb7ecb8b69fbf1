import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { visitInDoubt } from '@hlid/protocol/records/decision';
import {
  findPassage,
  judgeRead,
  plateToSeekElsewhere,
  type ReadingConditions,
  type ReadStanding,
  sharesEvent,
} from '@hlid/protocol/records/passage';
import {
  hasNewDecision,
  joinPassage,
  openedAsElsewhere,
  type SeenOnBoth,
  seenOnBoth,
  seenPlate,
} from '@hlid/protocol/rules/passage-transitions';
import type { GateOutcome, LaneAlert } from '@hlid/protocol/site-link/site-event';
import type { CameraConfig } from '../config/config.ts';
import { markOpened, mayNotHaveLeft, newPassage, type Passage } from '../passage/passage-store.ts';
import { noRead, type UnreadVehicle } from './exit-timeout.ts';
import type { HeldBackRead } from './held-back-read.ts';
import { type LaneDecisions, NOTHING } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneParts } from './lane-site.ts';
import { StandingPlates } from './standing-plates.ts';

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

/** A car reaches the loop within this time after it was read; at an entrance it does not wait longer either. */
const SHORT_WAIT_MS = 30_000;

/**
 * The passages of a lane: the reads of one vehicle are one passage, and each passage is decided. All in one
 * transaction, which the caller holds.
 */
export class LanePassages {
  readonly #parts: LaneParts;
  readonly #decisions: LaneDecisions;
  readonly #needsArrival: boolean;
  readonly #standing: StandingPlates;

  constructor(parts: LaneParts, decisions: LaneDecisions) {
    this.#parts = parts;
    this.#standing = new StandingPlates(parts);
    this.#decisions = decisions;
    this.#needsArrival = parts.lane.loops?.readsNeedArrival === true;
  }

  /** Whether a read counts in decisions. Needs no transaction. */
  judge(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding {
    const { site, loops } = this.#parts;
    const conditions: ReadingConditions = {
      receivedAt: at,
      camera: site.lists.camera(camera.id),
      clockBehindMs: site.cameraClocks.clockBehindMs(camera.id),
      directionReliable: camera.directionReliable,
    };
    const standing = judgeRead(read, conditions);
    // A clock that may be wrong does not outweigh a loop.
    const isThere = standing === 'late' && this.#lateByClockOnly(read, camera) && loops.arrival() === true;
    return isThere ? judgeRead({ ...read, capturedAt: null }, conditions) : standing;
  }

  /** Stores a read that was judged when it came, and decides on its vehicle. */
  pass(given: PlateRead, judged: ReadStanding, camera: CameraConfig, at: UtcTime): ReadOutcome {
    const read = this.#parts.site.passages.asNewRead(camera.id, given, at);
    if (read === null) return { ...NOTHING, repeated: true };
    const known = this.#passageOf(read, at);
    const stands = judged === 'counts' ? this.#standing.note(read, known, at) : null;
    if (stands) return this.#leaveStanding(read, camera, at, stands);
    const early =
      this.#needsArrival && known === null && judged === 'counts' && this.#parts.loops.arrival() === false;
    if (early) {
      const readId = this.#parts.recorder.read(read, camera.id, at, 'parked', null);
      return { ...NOTHING, heldBack: { read, readId, at } };
    }
    return judged === 'counts'
      ? this.#parts.recorder.deciding(() => this.#decideRead(read, camera, known, at))
      : this.#storeRead(read, camera, known, judged, at);
  }

  /**
   * Whether an entrance would open for the vehicle of this read, which counts and could not be stored. Writes nothing;
   * throws where nothing can be read either.
   */
  wouldAdmit(read: PlateRead, camera: CameraConfig, at: UtcTime): boolean {
    const { lane, site, loops } = this.#parts;
    if (lane.direction !== 'entry') return false;
    if (site.passages.asNewRead(camera.id, read, at) === null) return false;
    const known = this.#passageOf(read, at);
    if (known === null && this.#needsArrival && loops.arrival() === false) return false;
    if (this.#standing.stands(read, known, at)) return false;
    // It has been opened to, or is being.
    if (known?.decision.open) return false;
    if (known === null && this.#letThroughElsewhere(read.plate, at)?.standsHere === false) return false;
    const passage = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
    return this.#decisions.wouldOpen(seenPlate(passage, guessesOf(read)), at);
  }

  /**
   * The car that waits at the closed gate; null: none does. A car that an exit has kept cannot leave without
   * a trace: it waits until a loop, another car's read on the lane, a read of the same car on another lane,
   * or a person who opens the gate shows that it is gone. Many cameras never read a standing car again, so
   * time alone ends it only after long.
   */
  carAtGate(at: UtcTime): Passage | null {
    const { lane, site, loops, departed } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    if (!latest || latest.decision.open || departed.has(latest.id)) return null;
    const onLoop = loops.arrival();
    if (onLoop === true) return latest;
    const maxMs =
      onLoop === false || lane.direction === 'entry'
        ? SHORT_WAIT_MS
        : site.lists.site().settings.exitWaitMinutes * MINUTE_MS;
    if (millis(at) - millis(latest.lastSeenAt) > maxMs) return null;
    return site.passages.movedOn(latest) ? null : latest;
  }

  /** The car that waits at the closed gate of an exit. */
  waiting(at: UtcTime): Passage | null {
    return this.#parts.lane.direction === 'exit' ? this.carAtGate(at) : null;
  }

  /** The car that waits at this exit for a visit that may not be its own; null: there is none. */
  inDoubt(at: UtcTime): Passage | null {
    const known = this.#parts.gate.mode() === 'kept-closed' ? null : this.waiting(at);
    return known && visitInDoubt(known.decision) !== null ? known : null;
  }

  /** Its driver denies the visit; null: no car with a doubtful plate waits here for it. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome | null {
    const known = this.inDoubt(at);
    const after = known?.visitId === visitId ? this.#decisions.disown(known, typed, at) : null;
    return after && this.#decisions.finish(after, at);
  }

  /**
   * Decides again on the car that waits at this exit, now that its visit, a permit or anything else may have changed.
   * Null: the decision is the same.
   */
  reconsider(at: UtcTime): LaneOutcome | null {
    const known = this.waiting(at);
    // A lane that a person keeps closed decides when it is opened again.
    if (!known || this.#parts.gate.mode() === 'kept-closed') return null;
    const after = this.#decisions.decideAgain(known, [], at);
    return hasNewDecision(after, known) ? this.#decisions.finish(after, at) : null;
  }

  /** A person has opened: the car that waits here goes, whatever it owes. */
  onManualOpen(at: UtcTime, outcome: GateOutcome, passageId: string | null): Passage | null {
    const known = this.carAtGate(at) ?? this.#meant(passageId);
    if (!known) this.#confirmOpened(outcome);
    const opened = known && markOpened(this.#decisions.decideAgain(known, [], at, true), at, outcome);
    if (opened) this.#parts.site.passages.save(opened);
    return opened;
  }

  /**
   * An operator has opened for a car that the lane had let through without knowing whether the gate opened.
   */
  #confirmOpened(outcome: GateOutcome): void {
    const { lane, site } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    if (!latest?.decision.open || latest.gate === 'done' || outcome !== 'done') return;
    site.passages.saveGate(latest, 'done');
  }

  /**
   * Whether another car than that one stands here by now, or it has gone. A car that was not seen for a while
   * may still stand there, so time alone proves nothing.
   */
  isStale(passageId: string): boolean {
    const { lane, site, departed } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    return latest?.id !== passageId || departed.has(latest.id) || site.passages.movedOn(latest);
  }

  /** The newest car of this exit, where it was let through so lately that it may stand here; null: it has gone. */
  lastOpened(at: UtcTime): Passage | null {
    const { lane, site } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    if (!latest?.decision.open || this.isStale(latest.id)) return null;
    const waitsMs = site.lists.site().settings.exitWaitMinutes * MINUTE_MS;
    return millis(at) - millis(latest.lastSeenAt) <= waitsMs ? latest : null;
  }

  /** A vehicle that came to this exit, was not read well enough, and has not been decided on; null: there is none. */
  undecided(at: UtcTime): UnreadVehicle | null {
    const { lane, site } = this.#parts;
    const unread = site.passages.lastUnread(lane.id);
    if (!unread) return null;
    const { id: readId, eventKey, plate, score, receivedAt } = unread;
    const [latest] = site.passages.recent(lane.id);
    const waitsMs = site.lists.site().settings.exitWaitMinutes * MINUTE_MS;
    const isOld = millis(at) - millis(receivedAt) > waitsMs || receivedAt > at;
    if (isOld || (latest && latest.lastSeenAt >= receivedAt)) return null;
    if (plate !== null && site.passages.seenElsewhere(plate, lane.id, receivedAt)) return null;
    return { read: { ...noRead(), plate, score, eventKey }, readId };
  }

  /** Whether the newest car of this exit may stand before its gate: nothing has shown that it has gone. */
  mayStandHere(): boolean {
    const [latest] = this.#parts.site.passages.recent(this.#parts.lane.id);
    return latest !== undefined && mayNotHaveLeft(latest) && !this.isStale(latest.id);
  }

  /** The car that a person means, who sees it stand there longer than the lane expects. */
  #meant(passageId: string | null): Passage | null {
    if (passageId === null || this.isStale(passageId)) return null;
    const [latest] = this.#parts.site.passages.recent(this.#parts.lane.id);
    return latest && !latest.decision.open ? latest : null;
  }

  /** The lane was kept closed until now: the car that came meanwhile gets its decision. */
  reopen(closedSince: UtcTime, at: UtcTime): LaneOutcome | null {
    const { lane, site, departed } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    const cameMeanwhile =
      latest?.decision.reason === 'closed-by-operator' && latest.lastSeenAt >= closedSince;
    // Who waited there before may have paid meanwhile.
    const known = cameMeanwhile && !departed.has(latest.id) ? latest : this.waiting(at);
    return known && this.#decisions.finish(this.#decisions.decideAgain(known, [], at), at);
  }

  /** What stands still in view is no car that comes: the read is stored, and people are advised where it is new. */
  #leaveStanding(
    read: PlateRead,
    camera: CameraConfig,
    at: UtcTime,
    { passageId, isNew }: { passageId: string | null; isNew: boolean },
  ): ReadOutcome {
    const { recorder } = this.#parts;
    recorder.read(read, camera.id, at, 'parked', passageId);
    if (isNew) recorder.alert('stands-still', { id: passageId, plate: read.plate }, at);
    return { ...NOTHING, stands: true };
  }

  /** A read that counts. */
  #decideRead(read: PlateRead, camera: CameraConfig, known: Passage | null, at: UtcTime): ReadOutcome {
    const { lane, gate, loops, recorder, departed } = this.#parts;
    const decisions = this.#decisions;
    const guesses = guessesOf(read);
    const store = (passageId: string | null) => recorder.countedRead(read, camera.id, at, passageId);

    // No plate yet: an exit waits for a better read, as long as it waits at all.
    if (lane.direction === 'exit' && known === null && read.plate === null) {
      return { ...NOTHING, unread: { read, readId: store(null) } };
    }
    const both = known === null ? this.#letThroughElsewhere(read.plate, at) : null;
    if (both && !both.standsHere) {
      store(both.passage.id);
      this.#standing.seenBeside(read, both.passage, at);
      return NOTHING;
    }
    const seen = known === null ? newPassage(read, lane.id, at) : joinPassage(known, read, at);
    const passage = { ...seen, readId: store(seen.id) };
    if (both) {
      const opened = openedAsElsewhere(passage, both.passage);
      recorder.decision(opened, opened.decision, at);
      return decisions.finish(opened, at);
    }
    if (known?.decision.open) return decisions.finish(decisions.correct(known, passage, guesses, at), at);
    if (known) {
      // The car was kept here, and is read again: it has not gone, whatever a loop reported.
      departed.remove(known.id);
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
    const { recorder, site } = this.#parts;
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
    site.passages.save(corrected);
    return { ...NOTHING, passage: corrected };
  }

  /** Whether only a clock that may be wrong makes the read late. */
  #lateByClockOnly(read: PlateRead, camera: CameraConfig): boolean {
    return !read.late && this.#parts.site.cameraClocks.inDoubt(camera.id);
  }

  /** The passage on this lane to which a read belongs. */
  #passageOf(read: PlateRead, at: UtcTime): Passage | null {
    const { lane, site, departed } = this.#parts;
    const recent = site.passages.recent(lane.id);
    const found = this.#findPassage(read, at, recent);
    if (!found || !departed.isOver(found.id, at)) return found;
    if (sharesEvent(found, read, at, site.lists.site().settings)) return found;
    return this.#findPassage(
      read,
      at,
      recent.filter(({ id }) => !departed.isOver(id, at)),
    );
  }

  #findPassage(read: PlateRead, at: UtcTime, recent: readonly Passage[]): Passage | null {
    const { lane, site, gate, loops, departed } = this.#parts;
    const { settings } = site.lists.site();
    const [latest] = recent;
    const hasGone = latest !== undefined && departed.has(latest.id);
    const windows = {
      passageWindowMs: settings.passageWindowMs,
      standingMs: settings.standingMs,
      flows: gate.mode() === 'held-open' || hasGone,
      anotherSince: loops.anotherSince(),
    };
    const found = findPassage(read, at, recent, windows, ({ decision }) => decision.open);
    if (found === null) return null;
    const plate = plateToSeekElsewhere(found, read);
    return plate !== null && site.passages.seenElsewhere(plate, lane.id, found.lastSeenAt) ? null : found;
  }

  /** The car of a read that has no passage here, where another lane of this direction has let it through just now. */
  #letThroughElsewhere(plate: string | null, at: UtcTime): SeenOnBoth<Passage> | null {
    if (plate === null) return null;
    const { lane, site, loops } = this.#parts;
    const { settings } = site.lists.site();
    const elsewhere = site.passages.withPlateElsewhere(plate, lane.id);
    const both = seenOnBoth(elsewhere, { direction: lane.direction, onLoop: loops.arrival() }, at, settings);
    // Driven out since, it is another stay.
    const over = lane.direction === 'entry' && both && !this.#isInside(both.passage.visitId);
    return over ? null : both;
  }

  #isInside(visitId: string | null): boolean {
    return visitId !== null && this.#parts.site.visits.get(visitId)?.endedAt === null;
  }

  /** Ends the visit of a car that this exit reports too late. */
  #endEarlier(read: PlateRead, readId: string, camera: CameraConfig, at: UtcTime): Passage | null {
    const leftAt = this.#leftAtOf(read, camera, at);
    if (leftAt === null) return null;
    const passage = { ...newPassage(read, this.#parts.lane.id, leftAt), readId };
    return this.#decisions.leftEarlier(passage, guessesOf(read), at);
  }

  /**
   * When the car of a late read was there, by our clock; null: that is not known, or the read reports the
   * same time.
   */
  #leftAtOf(read: PlateRead, camera: CameraConfig, at: UtcTime): UtcTime | null {
    const { lane, site } = this.#parts;
    if (lane.direction !== 'exit' || read.plate === null || read.capturedAt === null) return null;
    const isOld = this.judge({ ...read, late: false }, camera, at) === 'late';
    const isGood = this.judge({ ...read, late: false, capturedAt: null }, camera, at) === 'counts';
    if (!isOld || !isGood) return null;
    return utcTime(millis(read.capturedAt) + site.cameraClocks.clockBehindMs(camera.id));
  }
}

/** The other plates that the camera reports as possible. */
function guessesOf(read: PlateRead): string[] {
  return read.candidates.map(({ plate }) => plate);
}
