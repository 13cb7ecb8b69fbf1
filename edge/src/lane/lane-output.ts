import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { visitInDoubt } from '@hlid/protocol/records/decision';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import {
  LaneDisplay,
  type PayStatus,
  type ShownDebt,
  type Standing,
  type VisitQuestion,
  visitQuestion,
} from '../display/lane-display.ts';
import { GateRetries } from '../gate/gate-retries.ts';
import type { Passage } from '../passage/passage-store.ts';
import { ShownPassages } from '../passage/passage-view.ts';
import type { CarsAtGate } from './cars-at-gate.ts';
import { ExitTimeout, NO_SIGNS } from './exit-timeout.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneContext } from './lane-site.ts';
import type { LaneListener } from './lane-status.ts';

/**
 * Carries out what is decided at a lane and on the disk: opens the gate, again until it has opened, and shows it to the
 * driver and to people.
 */
export class LaneOutput {
  readonly display: LaneDisplay;
  readonly timeout: ExitTimeout;
  readonly shown = new ShownPassages();
  readonly #context: LaneContext;
  readonly #cars: CarsAtGate;
  readonly #decisions: LaneDecisions;
  readonly #listener: LaneListener;
  readonly #retries: GateRetries;

  constructor(
    context: LaneContext,
    cars: CarsAtGate,
    decisions: LaneDecisions,
    { pays, listener }: { pays: PayStatus; listener: LaneListener },
  ) {
    const { lane, loops, clock } = context;
    this.#context = context;
    this.#cars = cars;
    this.#decisions = decisions;
    this.#listener = listener;
    this.#retries = new GateRetries({
      direction: lane.direction,
      arrival: () => loops.arrival(),
      hasGone: (passageId) => cars.hasGone(passageId),
      waitsMs: () => context.settings().exitWaitMinutes * MINUTE_MS,
    });
    this.display = new LaneDisplay({
      clock,
      settings: () => context.settings(),
      pays,
      standing: () => this.#standing(),
      onHelpNeeded: lane.direction === 'exit' ? (passageId) => this.#askForHelp(passageId) : null,
      onChanged: (instruction) => listener.update({ laneId: lane.id, instruction }),
    });
    this.timeout = new ExitTimeout(context, this.display);
    this.#retries.listen({
      again: (passageId) => this.#openAgain(passageId),
      gaveUp: (passageId) => this.#askForHelp(passageId),
    });
  }

  stop(): void {
    this.timeout.stop();
    this.#retries.stop();
    this.display.stop();
  }

  /** Acts on an outcome that is on the disk: moves the gate, and shows it to the driver and to people. */
  act({ passage, opening }: LaneOutcome): void {
    const { lane, gate } = this.#context;
    if (passage) {
      this.timeout.ended();
      this.wentOn(passage.id);
      this.show(passage);
      this.instruct(passage);
      this.#listener.carSeen(lane.id);
      this.#cars.seen(passage.id);
    }
    if (opening) void gate.open(opening).then((outcome) => this.opened(opening.passageId, outcome));
  }

  /** Works in a transaction without a waiting caller, and acts on the outcome. */
  run(work: () => LaneOutcome | null): void {
    this.#context.commit
      .run(work)
      .then((outcome) => outcome && this.act(outcome))
      .catch((err: unknown) => this.logFailure(err));
  }

  logFailure(err: unknown): void {
    const { lane, log } = this.#context;
    log.error({ event: LOG_EVENTS.laneFailed, laneId: lane.id, reason: messageOf(err), err });
  }

  /** Another car is there, or the one for which the gate opened has gone through (null). */
  wentOn(passageId: string | null): void {
    this.#retries.wentOn(passageId);
  }

  /** The outcome of an opening: where the gate did not open, it is tried again. */
  opened(passageId: string | null, outcome: GateOutcome): void {
    this.#retries.after(passageId, outcome);
  }

  /** The car for which the gate opened without a decision is that of a passage. */
  adopt(passageId: string): void {
    this.#retries.adopt(passageId);
  }

  /** A person has opened the gate. */
  openedByPerson(): void {
    this.#retries.stop();
  }

  /** Resumes after a restart: the gate may not have opened for the newest car here. */
  resume(passage: Passage): void {
    const { id, gate } = passage;
    if (gate === 'done') {
      this.#retries.watchLoop(id);
      return;
    }
    this.opened(id, gate === 'wanted' ? 'unknown' : gate === 'untouched' ? 'unreachable' : gate);
    this.instruct(passage);
  }

  /** Shows a passage to people. */
  show(passage: Passage): void {
    this.#listener.update({ laneId: this.#context.lane.id, passage: this.shown.show(passage) });
  }

  /** Shows the driver what was decided, for as long as he may stand there. */
  instruct(passage: Passage): void {
    const { lane, settings } = this.#context;
    const { id, decision } = passage;
    const waits = lane.direction === 'exit' && !decision.open;
    const waitsMs = waits ? settings().exitWaitMinutes * MINUTE_MS : null;
    this.display.decided(id, decision, waitsMs, this.#questionOf(passage), this.#debtOf(passage));
  }

  /** The amount that the driver at the closed exit must pay. */
  #debtOf({ plate, visitId, decision }: Passage): ShownDebt | null {
    if (decision.reason !== 'need-payment' || visitId === null) return null;
    return { plate, price: this.#context.visits.get(visitId)?.price ?? null };
  }

  /** The visit for which a car is kept in doubt. */
  #questionOf({ plate, decision }: Passage): VisitQuestion | null {
    const visitId = visitInDoubt(decision);
    const visit = visitId === null ? undefined : this.#context.visits.get(visitId);
    return visit ? visitQuestion(visit, plate) : null;
  }

  /** Whether a driver may stand here who reads the display. */
  #standing(): Standing {
    const { lane, loops } = this.#context;
    try {
      if (loops.arrival() === true || this.#retries.active()) return 'waits';
      if (lane.direction === 'entry') return 'gone';
      if (this.#cars.waiting(this.#now())) return 'waits';
      return this.#cars.mayStandHere() ? 'perhaps' : 'gone';
    } catch {
      return 'perhaps';
    }
  }

  #openAgain(passageId: string | null): void {
    if (passageId === null) this.timeout.seen(NO_SIGNS);
    else this.run(() => this.#reopenFor(passageId, this.#now()));
  }

  #reopenFor(passageId: string, at: UtcTime): LaneOutcome | null {
    const passage = this.#context.passages.get(passageId);
    if (!passage || this.#cars.isOver(passageId, at)) return null;
    const outcome = this.#decisions.finish(passage, at);
    return outcome.opening ? outcome : null;
  }

  /**
   * Requests help on site: for a driver who has no number to call, and for a car that may still stand here when no
   * further opening is tried.
   */
  #askForHelp(passageId: string | null): void {
    this.run(() => {
      const passage = passageId === null ? null : (this.#context.passages.get(passageId) ?? null);
      this.#decisions.recorder.alert('needs-help', passage, this.#now());
      return null;
    });
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }
}
