import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import { GateRetries } from '../gate/gate-retries.ts';
import { markOpened, newPassage, type Passage } from '../passage/passage-store.ts';
import {
  ExitTimeout,
  NO_SIGNS,
  noRead,
  type StandingVehicle,
  type UnreadVehicle,
  type VehicleSigns,
} from './exit-timeout.ts';
import { FailOpen, type UndecidedVehicle } from './fail-open.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneActions, LaneParts } from './lane-site.ts';

/** A car that was read at most this long before one came to stand at the gate is that car. */
const READ_BEFORE_MS = 30_000;

/** A car is let out after this, unless the site has another setting. */
const EXIT_TIMEOUT_MS = 2000;
/** The part of the timeout kept for the disk. A decision that is not stored by then is not waited for. */
const COMMIT_TIMEOUT_MS = 250;

type FallbackParts = Pick<
  LaneParts,
  'lane' | 'site' | 'gate' | 'loops' | 'display' | 'recorder' | 'departed'
>;

/**
 * Gets a car out where the lane's own way fails: no read is good enough, nothing can be stored, the gate does not open.
 * At an entrance, opens for whom the rules admit, where that cannot be stored.
 */
export class ExitFallback {
  readonly #parts: FallbackParts;
  readonly #decisions: LaneDecisions;
  readonly #actions: LaneActions;
  /** Null at an entrance, from which a car can turn away. */
  readonly #timeout: ExitTimeout | null;
  readonly #failOpen: FailOpen;
  readonly #retries: GateRetries;

  constructor(parts: FallbackParts, decisions: LaneDecisions, actions: LaneActions) {
    const { lane, site, gate, loops, display } = parts;
    const { clock } = site;
    this.#parts = parts;
    this.#decisions = decisions;
    this.#actions = actions;
    this.#timeout =
      lane.direction === 'entry'
        ? null
        : new ExitTimeout({
            clock,
            timeoutMs: () => (site.settings().exitPatienceMs ?? EXIT_TIMEOUT_MS) - COMMIT_TIMEOUT_MS,
            onTimeout: (vehicle) => void this.#letOut(vehicle),
            onChanged: (waits) => display.waiting(waits),
          });
    this.#failOpen = new FailOpen({
      clock,
      open: (vehicle) => this.#openUndecided(vehicle),
      gateIsOpen: () => gate.isOpen(),
    });
    this.#retries = new GateRetries({
      direction: lane.direction,
      arrival: () => loops.arrival(),
      hasGone: (passageId) => this.#hasGone(passageId),
      waitsMs: () => site.settings().exitWaitMinutes * MINUTE_MS,
      again: (passageId) => this.#openAgain(passageId),
      gaveUp: (passageId) => this.#alert(passageId),
    });
  }

  stop(): void {
    this.#timeout?.stop();
    this.#failOpen.stop();
    this.#retries.stop();
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    this.#timeout?.shift(byMs);
  }

  /** Reports a vehicle; unless it is decided on in time, it is let out. */
  seen(signs: VehicleSigns, unread?: UnreadVehicle): void {
    this.#timeout?.seen(signs, unread);
  }

  /** The vehicle has been decided on, or has gone, or was none. */
  ended(): void {
    this.#timeout?.ended();
  }

  waits(): boolean {
    return this.#timeout?.waits() === true;
  }

  /** Another car is there, or the one for which the gate opened has gone through (null). */
  wentOn(passageId: string | null): void {
    this.#retries.wentOn(passageId);
  }

  /** The outcome of an opening: where the gate did not open, it is tried again. */
  opened(passageId: string | null, outcome: GateOutcome): void {
    this.#retries.after(passageId, outcome);
  }

  /** Resumes after a restart: the gate may not have opened for the newest car here. */
  resume(passage: Passage): void {
    if (passage.gate === 'done') this.#retries.watchLoop(passage.id);
    else this.opened(passage.id, openingOutcome(passage.gate));
  }

  /** A person has opened the gate. */
  openedByPerson(): void {
    this.#retries.stop();
  }

  /** Whether a car may stand before the gate that has not opened for it, or is not known to have. */
  doubtsOpening(): boolean {
    return this.#retries.active();
  }

  /** Opens the gate without a decision on the disk, unless it has done so for this vehicle. */
  failOpen(vehicle: UndecidedVehicle): void {
    this.ended();
    this.#failOpen.open(vehicle);
  }

  /** Acts on an outcome; where the gate has been opened without a decision for the vehicle, it does not open again. */
  act(outcome: LaneOutcome, vehicle: UndecidedVehicle | null): void {
    const { passage } = outcome;
    const served = passage && vehicle && this.#failOpen.servedBy(vehicle);
    if (!served) {
      this.#actions.act(outcome);
      return;
    }
    void served.then((how) => {
      this.#retries.adopt(passage.id);
      this.#actions.run(() => {
        const gone = this.#markGone(passage.id, this.#now(), how);
        return { passage: gone, opening: null, repeated: false };
      });
    });
  }

  /** The passage that a car belongs to that came at this time, where it has been decided on. */
  knownPassage(since: UtcTime): Passage | null {
    const { lane, site, departed } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    if (!latest || departed.isOver(latest.id, since)) return null;
    return millis(since) - millis(latest.lastSeenAt) <= READ_BEFORE_MS ? latest : null;
  }

  #now(): UtcTime {
    return utcTime(this.#parts.site.clock.now());
  }

  /** Lets out the vehicle that stands at this exit without a decision. */
  async #letOut(standing: StandingVehicle): Promise<void> {
    const { site, display } = this.#parts;
    const { since, vehicle } = standing;
    const undecided = { ...standing, seenAtMs: millis(since) };
    const withoutDisk = () => this.#failOpen.open(undecided);
    let deadline: NodeJS.Timeout | undefined;
    try {
      if (!this.#mayBeThere(standing)) return;
      deadline = setTimeout(withoutDisk, COMMIT_TIMEOUT_MS);
      const outcome = await site.commit.run(() => this.#decideUnread(since, vehicle, this.#now()));
      if (outcome) this.act(outcome, undecided);
    } catch (err) {
      this.#actions.logFailure(err);
      withoutDisk();
    } finally {
      clearTimeout(deadline);
      display.waiting(this.waits());
    }
  }

  /** False: nothing spoke for this vehicle but a read that seemed late, and by now it is known to be. */
  #mayBeThere({ certain, vehicle }: StandingVehicle): boolean {
    const { cameraClocks } = this.#parts.site;
    return certain || !vehicle?.lateFrom || cameraClocks.inDoubt(vehicle.lateFrom);
  }

  /** Decides for a vehicle that has stood there since then; null: it has been decided on meanwhile. */
  #decideUnread(since: UtcTime, vehicle: UnreadVehicle | null, at: UtcTime): LaneOutcome | null {
    const { lane, site } = this.#parts;
    const recent = site.passages.recent(lane.id);
    const [latest] = recent;
    if (latest && latest.lastSeenAt >= since) return null;
    // Its visit has ended as that of a car that left long ago; it may stand here all the same.
    const left = recent.find(({ readId }) => readId === vehicle?.readId);
    if (left) return this.#decisions.finish({ ...left, lastSeenAt: at }, at);
    const read = vehicle?.read ?? noRead();
    const candidates = read.candidates.map(({ plate }) => plate);
    const { leaving } = site.facts.exit({ plate: read.plate, score: read.score, candidates }, at);
    const isKnownPlate =
      leaving === 'just-ended' || (typeof leaving === 'object' && leaving?.foundBy === 'equal');
    // An unknown plate was perhaps no plate at all: a better read of this car must not count as another
    // car's.
    const plate = isKnownPlate ? read.plate : null;
    const passage = { ...newPassage({ ...read, plate }, lane.id, at), readId: vehicle?.readId ?? '' };
    return this.#decisions.finish(this.#decisions.decide(passage, [], at, { unread: true }), at);
  }

  async #openUndecided({ plates }: UndecidedVehicle): Promise<GateOutcome> {
    const { lane, site, gate, display } = this.#parts;
    const laneId = lane.id;
    site.log.warn({ event: LOG_EVENTS.laneOpenedUnrecorded, laneId, plate: plates.at(-1) ?? null });
    display.openedOnFault();
    const reason = 'fault';
    const outcome = await gate.open({
      laneId,
      passageId: null,
      reason,
      by: `lane:${laneId}`,
      inDoubt: false,
    });
    this.opened(null, outcome);
    return outcome;
  }

  #openAgain(passageId: string | null): void {
    if (passageId === null) this.seen(NO_SIGNS);
    else this.#actions.run(() => this.#reopenFor(passageId, this.#now()));
  }

  #reopenFor(passageId: string, at: UtcTime): LaneOutcome | null {
    const passage = this.#parts.site.passages.get(passageId);
    if (!passage || this.#parts.departed.isOver(passageId, at)) return null;
    const outcome = this.#decisions.finish(passage, at);
    return outcome.opening ? outcome : null;
  }

  /** Requests help for a car that may still stand here, once no further opening is tried. */
  #alert(passageId: string | null): void {
    const { site, recorder } = this.#parts;
    this.#actions.run(() => {
      const passage = passageId === null ? null : (site.passages.get(passageId) ?? null);
      recorder.alert('needs-help', passage, this.#now());
      return null;
    });
  }

  /** Whether the car of a passage is known to have gone; where that cannot be read, it is not. */
  #hasGone(passageId: string): boolean {
    const { passages } = this.#parts.site;
    if (this.#parts.departed.has(passageId)) return true;
    try {
      const passage = passages.get(passageId);
      return passage !== undefined && passages.movedOn(passage);
    } catch {
      return false;
    }
  }

  /** The gate was opened before the decision could be stored: whatever it owes, the car has gone. */
  #markGone(passageId: string, at: UtcTime, outcome: GateOutcome): Passage | null {
    const { passages } = this.#parts.site;
    const passage = passages.get(passageId);
    if (!passage) return null;
    const gone = passage.decision.open ? passage : this.#decisions.decideAgain(passage, [], at, true);
    const saved = markOpened(gone, at, outcome);
    passages.save(saved);
    return saved;
  }
}

/** What is left to do for a passage as the database has it. */
function openingOutcome(gate: Passage['gate']): GateOutcome {
  if (gate === 'wanted') return 'unknown';
  return gate === 'untouched' ? 'unreachable' : gate;
}
