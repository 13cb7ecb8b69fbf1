import { newId } from '@hlid/node/new-id';
import { RetryPause } from '@hlid/node/retry-pause';
import { SerialQueue } from '@hlid/node/serial-queues';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateMode } from '@hlid/protocol/base/statuses';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Gate } from './gate.ts';
import type { GateHoldStore } from './gate-hold-store.ts';
import { type GateHold, type HoldCommand, hasLapsed, holdAfter, modeOf } from './gate-mode.ts';

/** The owner of the holds follows the results of commands. */
export interface HoldListener {
  /** Called within the transaction that stores the result. */
  moved(command: HoldCommand, outcome: GateOutcome, tookMs: number, at: UtcTime): void;
  /** Called after the transaction. Null: the device was sent nothing. */
  changed(answer: GateOutcome | null): void;
  /** The gate is no longer kept closed, as it was since then. */
  reopened(closedSince: UtcTime): void;
}

const RETRY = { firstMs: 1000, maxMs: MINUTE_MS };
/** A device that loses its power forgets that it holds a gate open, and cars would stand before it. */
const RENEW_MS = 30_000;

/**
 * The hold that people have set for one gate: sent to the device until it confirms, and kept over restarts.
 */
export class GateHolds {
  readonly #context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>;
  readonly #lane: { id: string; direction: 'entry' | 'exit' };
  readonly #gate: Gate;
  readonly #store: GateHoldStore;
  readonly #renewMs: number;
  #listener: HoldListener | null = null;
  #hold: GateHold | undefined;
  /** One command after the other. */
  readonly #queue = new SerialQueue();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>,
    options: {
      lane: { id: string; direction: 'entry' | 'exit' };
      gate: Gate;
      store: GateHoldStore;
      renewMs?: number;
    },
  ) {
    this.#context = context;
    this.#lane = options.lane;
    this.#gate = options.gate;
    this.#store = options.store;
    this.#renewMs = options.renewMs ?? RENEW_MS;
  }

  listen(listener: HoldListener): void {
    this.#listener = listener;
  }

  /** Restores what was set when the program ended. */
  start(): void {
    const stored = this.#store.load(this.#lane.id);
    if (!stored) return;
    // The device may have lost it while the program was away, or never got it.
    const hold = { ...stored, confirmed: false };
    this.#hold = hold;
    if (hasLapsed(hold, this.#context.clock.now())) this.#lapse(hold);
    else void this.#queue.run(() => this.#sendAgain(hold, new RetryPause(RETRY)));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** How the lane behaves now. */
  mode(): GateMode {
    return modeOf(this.#hold, this.#context.clock.now());
  }

  /** The hold, also where the device has not confirmed it. */
  current(): GateHold | null {
    return this.#hold ?? null;
  }

  /** Never throws. */
  set(command: HoldCommand): Promise<GateOutcome> {
    return this.#queue.run(() => this.#execute(command));
  }

  async #execute(command: HoldCommand): Promise<GateOutcome> {
    const { action } = command;
    const { clock, log } = this.#context;
    if (command.stillWanted?.() === false) return 'unreachable';
    const started = performance.now();
    const before = this.#hold;
    const answer = await this.#apply(command);
    const outcome = answer ?? 'done';
    const at = utcTime(clock.now());
    const tookMs = Math.round(performance.now() - started);
    await this.#save(() => {
      this.#write();
      this.#listener?.moved(command, outcome, tookMs, at);
    });
    log[outcome === 'done' ? 'info' : 'warn']({
      event: LOG_EVENTS.gateOverridden,
      laneId: this.#lane.id,
      action,
      outcome,
      by: command.by,
      tookMs,
    });
    this.#listener?.changed(answer);
    this.#schedule();
    if (before?.mode === 'kept-closed' && this.mode() !== 'kept-closed')
      this.#listener?.reopened(before.since);
    return outcome;
  }

  /** Sets the hold, stores it and sends it to the device. @returns null: the device needs no command for it */
  async #apply(command: HoldCommand): Promise<GateOutcome | null> {
    const { action } = command;
    if (action === 'hold' && this.#gate.hold === undefined) return 'refused';
    const before = this.#hold;
    const hold = holdAfter(command, this.#lane.direction, utcTime(this.#context.clock.now()));
    this.#put(hold);
    const saved = await this.#save(() => this.#write());
    // A closing that would be lost at a restart is not done; an opening is, whatever the disk does.
    if (!saved && action === 'close') {
      this.#put(before);
      return 'refused';
    }
    const answer = await this.#send(hold, before?.mode === 'held-open');
    const outcome = answer ?? 'done';
    const failed = action === 'hold' && (outcome === 'refused' || outcome === 'unreachable');
    this.#put(failed ? before : { ...hold, confirmed: outcome === 'done' });
    return answer;
  }

  /** @returns null: the device needs no command for it */
  async #send({ mode }: GateHold, wasHeld: boolean): Promise<GateOutcome | null> {
    const gate = this.#gate;
    switch (mode) {
      case 'held-open':
        return (await gate.hold?.()) ?? 'refused';
      case 'kept-closed':
        if (gate.close) return await gate.close();
        return (wasHeld ? await gate.release?.() : null) ?? null;
      case 'automatic':
        return (await gate.release?.()) ?? null;
      default:
        return mode satisfies never;
    }
  }

  async #sendAgain(hold: GateHold, pause: RetryPause): Promise<void> {
    if (this.#hold !== hold || this.#stopped) return;
    const answer = await this.#send(hold, true);
    const confirmed = answer === null || answer === 'done';
    if (confirmed !== hold.confirmed) {
      this.#put({ ...hold, confirmed });
      await this.#save(() => this.#write());
    }
    if (!confirmed || !hold.confirmed) this.#listener?.changed(answer);
    this.#schedule(pause);
  }

  /** Plans what is next: the next try at the device, the renewal of a hold, or the end of a closing. */
  #schedule(pause = new RetryPause(RETRY)): void {
    clearTimeout(this.#timer);
    const hold = this.#hold;
    if (!hold || this.#stopped) return;
    const { clock } = this.#context;
    const again = () => void this.#queue.run(() => this.#sendAgain(hold, pause));
    if (hasLapsed(hold, clock.now())) this.#lapse(hold);
    else {
      const lapseMs =
        hold.lapsesAt === null ? Number.POSITIVE_INFINITY : millis(hold.lapsesAt) - clock.now().getTime();
      const againMs = this.#againMs(hold, pause);
      if (lapseMs <= againMs && hold.lapsesAt !== null) this.#later(lapseMs, () => this.#schedule(pause));
      else if (Number.isFinite(againMs)) this.#later(againMs, again);
    }
  }

  /** When the device gets the hold again: until it confirms, and to renew a hold. */
  #againMs({ confirmed, mode }: GateHold, pause: RetryPause): number {
    if (!confirmed) return pause.nextMs();
    return mode === 'held-open' ? this.#renewMs : Number.POSITIVE_INFINITY;
  }

  #later(ms: number, work: () => void): void {
    this.#timer = setTimeout(work, ms).unref();
  }

  #lapse(hold: GateHold): void {
    if (this.#hold !== hold) return;
    const { laneId, mode } = hold;
    const reason = mode === 'held-open' ? 'hold-lapsed' : 'closing-lapsed';
    void this.set({ id: newId(), laneId, action: 'release', by: `lane:${laneId}`, reason });
  }

  #put(hold: GateHold | undefined): void {
    const isOver = hold?.mode === 'automatic' && hold.confirmed;
    this.#hold = isOver ? undefined : hold;
  }

  #write(): void {
    if (this.#hold) this.#store.save(this.#hold);
    else this.#store.remove(this.#lane.id);
  }

  /** @returns whether it is on the disk */
  async #save(work: () => void): Promise<boolean> {
    try {
      await this.#context.commit.run(work);
      return true;
    } catch (err) {
      this.#context.log.error({ event: LOG_EVENTS.gateHoldUnsaved, err });
      return false;
    }
  }
}
