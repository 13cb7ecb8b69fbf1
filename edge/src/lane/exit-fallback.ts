import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import { markOpened, newPassage, type Passage } from '../passage/passage-store.ts';
import { COMMIT_TIMEOUT_MS, noRead, type StandingVehicle, type UnreadVehicle } from './exit-timeout.ts';
import { FailOpen, type UndecidedVehicle } from './fail-open.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneOutput } from './lane-output.ts';
import type { LaneContext } from './lane-site.ts';

/**
 * Gets a car out where the lane's own way fails: no read is good enough, or nothing can be stored. At an entrance, opens
 * for whom the rules admit, where that cannot be stored.
 */
export class ExitFallback {
  readonly #context: LaneContext;
  readonly #decisions: LaneDecisions;
  readonly #output: LaneOutput;
  readonly #failOpen: FailOpen;

  constructor(context: LaneContext, decisions: LaneDecisions, output: LaneOutput) {
    this.#context = context;
    this.#decisions = decisions;
    this.#output = output;
    this.#failOpen = new FailOpen({
      clock: context.clock,
      open: (vehicle) => this.#openUndecided(vehicle),
      gateIsOpen: () => context.gate.isOpen(),
    });
    output.timeout.listen((vehicle) => void this.#openForVehicle(vehicle));
  }

  stop(): void {
    this.#failOpen.stop();
  }

  /** Opens the gate without a decision on the disk, unless it has done so for this vehicle. */
  failOpen(vehicle: UndecidedVehicle): void {
    this.#output.timeout.ended();
    this.#failOpen.open(vehicle);
  }

  /** Acts on an outcome; where the gate has been opened without a decision for the vehicle, it does not open again. */
  act(outcome: LaneOutcome, vehicle: UndecidedVehicle | null): void {
    const { passage } = outcome;
    const served = passage && vehicle && this.#failOpen.servedBy(vehicle);
    if (!served) {
      this.#output.act(outcome);
      return;
    }
    void served.then((how) => {
      this.#output.adopt(passage.id);
      this.#output.run(() => {
        const gone = this.#markGone(passage.id, this.#now(), how);
        return { passage: gone, opening: null, repeated: false };
      });
    });
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }

  /** Lets out the vehicle that stands at this exit without a decision. */
  async #openForVehicle(standing: StandingVehicle): Promise<void> {
    const { display, timeout } = this.#output;
    const { since, vehicle } = standing;
    const undecided = { ...standing, seenAtMs: millis(since) };
    const withoutDisk = () => this.#failOpen.open(undecided);
    let deadline: NodeJS.Timeout | undefined;
    try {
      if (!this.#mayBeThere(standing)) return;
      deadline = setTimeout(withoutDisk, COMMIT_TIMEOUT_MS);
      const outcome = await this.#context.commit.run(() => this.#decideUnread(since, vehicle, this.#now()));
      if (outcome) this.act(outcome, undecided);
    } catch (err) {
      this.#output.logFailure(err);
      withoutDisk();
    } finally {
      clearTimeout(deadline);
      display.waiting(timeout.waits());
    }
  }

  /** False: nothing spoke for this vehicle but a read that seemed late, and by now it is known to be. */
  #mayBeThere({ certain, vehicle }: StandingVehicle): boolean {
    return certain || !vehicle?.lateFrom || this.#context.cameraClocks.inDoubt(vehicle.lateFrom);
  }

  /** Decides for a vehicle that has stood there since then; null: it has been decided on meanwhile. */
  #decideUnread(since: UtcTime, vehicle: UnreadVehicle | null, at: UtcTime): LaneOutcome | null {
    const { lane, passages, facts } = this.#context;
    const recent = passages.recent(lane.id);
    const [latest] = recent;
    if (latest && latest.lastSeenAt >= since) return null;
    // Its visit has ended as that of a car that left long ago; it may stand here all the same.
    const left = recent.find(({ readId }) => readId === vehicle?.readId);
    if (left) return this.#decisions.finish({ ...left, lastSeenAt: at }, at);
    const read = vehicle?.read ?? noRead();
    const candidates = read.candidates.map(({ plate }) => plate);
    const { leaving } = facts.exit({ plate: read.plate, score: read.score, candidates }, at);
    const isKnownPlate =
      leaving === 'just-ended' || (typeof leaving === 'object' && leaving?.foundBy === 'equal');
    // An unknown plate was perhaps no plate at all: a better read of this car must not count as another
    // car's.
    const plate = isKnownPlate ? read.plate : null;
    const passage = { ...newPassage({ ...read, plate }, lane.id, at), readId: vehicle?.readId ?? '' };
    return this.#decisions.finish(this.#decisions.decide(passage, [], at, { unread: true }), at);
  }

  async #openUndecided({ plates }: UndecidedVehicle): Promise<GateOutcome> {
    const { lane, log, gate } = this.#context;
    const laneId = lane.id;
    log.warn({ event: LOG_EVENTS.laneOpenedUnrecorded, laneId, plate: plates.at(-1) ?? null });
    this.#output.display.openedOnFault();
    const reason = 'fault';
    const outcome = await gate.open({
      laneId,
      passageId: null,
      reason,
      by: `lane:${laneId}`,
      inDoubt: false,
    });
    this.#output.opened(null, outcome);
    return outcome;
  }

  /** The gate was opened before the decision could be stored: whatever it owes, the car has gone. */
  #markGone(passageId: string, at: UtcTime, outcome: GateOutcome): Passage | null {
    const { passages } = this.#context;
    const passage = passages.get(passageId);
    if (!passage) return null;
    const gone = passage.decision.open ? passage : this.#decisions.decideAgain(passage, [], at, true);
    const saved = markOpened(gone, at, outcome);
    passages.save(saved);
    return saved;
  }
}
