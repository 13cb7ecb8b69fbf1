import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { GateHoldStore } from './gate-hold-store.ts';
import type { GateView, LaneGateMode } from './gate-mode.ts';
import type { GateListener, LaneGate } from './lane-gate.ts';

/** A lane without a gate: cars drive through, and nothing can be moved. */
export class NoGate implements LaneGate {
  readonly #context: Pick<EdgeContext, 'commit' | 'log'>;
  readonly #laneId: string;
  readonly #holds: GateHoldStore;
  readonly #since: UtcTime;
  #listener: GateListener | null = null;

  constructor(context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>, laneId: string, holds: GateHoldStore) {
    this.#context = context;
    this.#laneId = laneId;
    this.#holds = holds;
    this.#since = utcTime(context.clock.now());
  }

  listen(listener: GateListener): void {
    this.#listener = listener;
  }

  /** What people had set for a gate that stood here is over: it would hold for a gate that comes later. */
  start(): void {
    if (this.#holds.load(this.#laneId) !== undefined) {
      this.#context.commit
        .run(() => this.#holds.remove(this.#laneId))
        .catch((err: unknown) => this.#context.log.error({ event: LOG_EVENTS.gateHoldUnsaved, err }));
    }
    this.#listener?.viewChanged(this.view());
  }

  stop(): void {}

  async release(): Promise<void> {}

  /** The car drives through anyhow. */
  async open(): Promise<GateOutcome> {
    return 'done';
  }

  async execute(): Promise<GateOutcome> {
    return 'refused';
  }

  view(): GateView {
    return { state: 'none', since: this.#since, lastError: null, hold: null };
  }

  noteReached(): void {}

  isOpen(): boolean {
    return false;
  }

  mode(): LaneGateMode {
    return 'none';
  }
}
