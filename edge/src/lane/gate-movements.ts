import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import type { GateView } from '../gate/gate-mode.ts';
import type { GateListener, Opening } from '../gate/lane-gate.ts';
import { markWanted } from '../passage/passage-store.ts';
import type { CarsAtGate } from './cars-at-gate.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutput } from './lane-output.ts';
import type { LaneContext } from './lane-site.ts';
import type { LaneListener } from './lane-status.ts';
import { openingFor } from './opening.ts';

/** The effects of a gate's movements on the cars, loops and display of its lane. */
export class GateMovements implements GateListener {
  readonly #context: LaneContext;
  readonly #cars: CarsAtGate;
  readonly #decisions: LaneDecisions;
  readonly #output: LaneOutput;
  readonly #listener: LaneListener;
  /** When the documents under way came, by `performance.now()`. */
  readonly #underWay: number[] = [];

  constructor(
    context: LaneContext,
    cars: CarsAtGate,
    decisions: LaneDecisions,
    output: LaneOutput,
    listener: LaneListener,
  ) {
    this.#context = context;
    this.#cars = cars;
    this.#decisions = decisions;
    this.#output = output;
    this.#listener = listener;
    context.gate.listen(this);
  }

  /** Handles a document of a camera and measures the time until the gate's command. */
  async measure<Result>(handle: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    this.#underWay.push(started);
    try {
      return await handle();
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(started), 1);
    }
  }

  viewChanged(gate: GateView): void {
    this.#listener.update({ laneId: this.#context.lane.id, gate });
    this.#output.display.gate(gate);
  }

  opening(passageId: string | null): void {
    const [started] = this.#underWay;
    if (started !== undefined) this.#listener.relayCommanded(performance.now() - started);
    this.#context.loops.opening(passageId);
  }

  answered(passageId: string | null, outcome: GateOutcome): void {
    if (outcome === 'refused' || outcome === 'unreachable') this.#context.loops.notOpened(passageId);
  }

  moved({ passageId, by }: Opening, outcome: GateOutcome, at: UtcTime): void {
    const { passages, visitService } = this.#context;
    const passage = passageId === null ? undefined : passages.get(passageId);
    if (!passage) return;
    passages.saveGate(passage, outcome);
    this.#output.show({ ...passage, gate: outcome });
    const context = { at, by, reason: `gate: ${outcome}` };
    visitService.setFlag(passage.visitId, 'gate-unconfirmed', outcome !== 'done', context);
  }

  manuallyOpened(at: UtcTime, outcome: GateOutcome, passageId: string | null): string | null {
    if (outcome === 'done') this.#output.openedByPerson();
    const passage = this.#cars.onManualOpen(at, outcome, passageId);
    if (passage) this.#output.act({ passage, opening: null, repeated: false });
    return passage?.id ?? null;
  }

  reopened(closedSince: UtcTime): void {
    const { clock } = this.#context;
    this.#output.run(() => this.#cars.reopen(closedSince, utcTime(clock.now())));
  }

  mayRepeat({ passageId }: Opening, at: UtcTime): boolean {
    const { passages } = this.#context;
    const passage = passageId === null ? undefined : passages.get(passageId);
    // The device was asked for two reads at once: one of them gets the opening.
    if (!passage || openingFor(passage, at, this.#decisions.laneNow()) !== 'in-doubt') return false;
    passages.save(markWanted(passage, at));
    return true;
  }
}
