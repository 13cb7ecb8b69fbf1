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
import { type GateOverride, hasLapsed, modeOf, type OverrideCommand, overrideAfter } from './gate-mode.ts';
import type { GateOverrideStore } from './gate-override-store.ts';

/** What follows from a command. */
export interface OverrideListener {
  /** Within the transaction that stores the result. */
  moved(command: OverrideCommand, outcome: GateOutcome, tookMs: number, at: UtcTime): void;
  /** After it. */
  changed(outcome: GateOutcome): void;
  /** The gate is no longer kept closed, as it was since then. */
  reopened(closedSince: UtcTime): void;
}

const RETRY = { firstMs: 1000, maxMs: MINUTE_MS };
/** A device that loses its power forgets that it holds a gate open, and cars would stand before it. */
const RENEW_MS = 30_000;

/** What people have set for one gate: sent to the device until it confirms, and kept over restarts. */
export class GateOverrides {
  readonly #context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>;
  readonly #lane: { id: string; direction: 'entry' | 'exit' };
  readonly #gate: Gate;
  readonly #store: GateOverrideStore;
  readonly #listener: OverrideListener;
  readonly #renewMs: number;
  #override: GateOverride | undefined;
  /** One command after the other. */
  readonly #queue = new SerialQueue();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>,
    options: {
      lane: { id: string; direction: 'entry' | 'exit' };
      gate: Gate;
      store: GateOverrideStore;
      listener: OverrideListener;
      renewMs?: number;
    },
  ) {
    this.#context = context;
    this.#lane = options.lane;
    this.#gate = options.gate;
    this.#store = options.store;
    this.#listener = options.listener;
    this.#renewMs = options.renewMs ?? RENEW_MS;
  }

  /** Restores what was set when the program ended. */
  start(): void {
    const stored = this.#store.load(this.#lane.id);
    if (!stored) return;
    // The device may have lost it while the program was away, or never got it.
    const override = { ...stored, confirmed: false };
    this.#override = override;
    if (hasLapsed(override, this.#context.clock.now())) this.#lapse(override);
    else void this.#queue.run(() => this.#sendAgain(override, new RetryPause(RETRY)));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** How the lane behaves now. */
  mode(): GateMode {
    return modeOf(this.#override, this.#context.clock.now());
  }

  /** What is set, also where the device has not confirmed it. */
  current(): GateOverride | null {
    return this.#override ?? null;
  }

  /** Never throws. */
  set(command: OverrideCommand): Promise<GateOutcome> {
    return this.#queue.run(() => this.#execute(command));
  }

  async #execute(command: OverrideCommand): Promise<GateOutcome> {
    const { action } = command;
    const { clock, log } = this.#context;
    if (command.stillWanted?.() === false) return 'unreachable';
    const started = performance.now();
    const before = this.#override;
    const outcome = await this.#apply(command);
    const at = utcTime(clock.now());
    const tookMs = Math.round(performance.now() - started);
    await this.#save(() => {
      this.#write();
      this.#listener.moved(command, outcome, tookMs, at);
    });
    log[outcome === 'done' ? 'info' : 'warn']({
      event: LOG_EVENTS.gateOverridden,
      laneId: this.#lane.id,
      action,
      outcome,
      by: command.by,
      tookMs,
    });
    this.#listener.changed(outcome);
    this.#schedule();
    if (before?.mode === 'kept-closed' && this.mode() !== 'kept-closed')
      this.#listener.reopened(before.since);
    return outcome;
  }

  /** Sets the override, stores it and sends it to the device. */
  async #apply(command: OverrideCommand): Promise<GateOutcome> {
    const { action } = command;
    if (action === 'hold' && this.#gate.hold === undefined) return 'refused';
    const before = this.#override;
    const override = overrideAfter(command, this.#lane.direction, utcTime(this.#context.clock.now()));
    this.#put(override);
    const saved = await this.#save(() => this.#write());
    // A closing that would be lost at a restart is not done; an opening is, whatever the disk does.
    if (!saved && action === 'close') {
      this.#put(before);
      return 'refused';
    }
    const outcome = await this.#send(override, before?.mode === 'held-open');
    const failed = action === 'hold' && (outcome === 'refused' || outcome === 'unreachable');
    this.#put(failed ? before : { ...override, confirmed: outcome === 'done' });
    return outcome;
  }

  async #send({ mode }: GateOverride, wasHeld: boolean): Promise<GateOutcome> {
    const gate = this.#gate;
    switch (mode) {
      case 'held-open':
        return (await gate.hold?.()) ?? 'refused';
      case 'kept-closed':
        if (gate.close) return await gate.close();
        return (wasHeld ? await gate.release?.() : null) ?? 'done';
      case 'automatic':
        return (await gate.release?.()) ?? 'done';
      default:
        return mode satisfies never;
    }
  }

  async #sendAgain(override: GateOverride, pause: RetryPause): Promise<void> {
    if (this.#override !== override || this.#stopped) return;
    const outcome = await this.#send(override, true);
    const confirmed = outcome === 'done';
    if (confirmed !== override.confirmed) {
      this.#put({ ...override, confirmed });
      await this.#save(() => this.#write());
    }
    if (!confirmed || !override.confirmed) this.#listener.changed(outcome);
    this.#schedule(pause);
  }

  /** Plans what is next: the next try at the device, the renewal of a hold, or the end of a closing. */
  #schedule(pause = new RetryPause(RETRY)): void {
    clearTimeout(this.#timer);
    const override = this.#override;
    if (!override || this.#stopped) return;
    const { clock } = this.#context;
    const again = () => void this.#queue.run(() => this.#sendAgain(override, pause));
    if (hasLapsed(override, clock.now())) this.#lapse(override);
    else {
      const lapseMs =
        override.lapsesAt === null
          ? Number.POSITIVE_INFINITY
          : millis(override.lapsesAt) - clock.now().getTime();
      const againMs = this.#againMs(override, pause);
      if (lapseMs <= againMs && override.lapsesAt !== null) this.#later(lapseMs, () => this.#schedule(pause));
      else if (Number.isFinite(againMs)) this.#later(againMs, again);
    }
  }

  /** When the device gets the override again: until it confirms, and to renew a hold. */
  #againMs({ confirmed, mode }: GateOverride, pause: RetryPause): number {
    if (!confirmed) return pause.nextMs();
    return mode === 'held-open' ? this.#renewMs : Number.POSITIVE_INFINITY;
  }

  #later(ms: number, work: () => void): void {
    this.#timer = setTimeout(work, ms).unref();
  }

  #lapse(override: GateOverride): void {
    if (this.#override !== override) return;
    const { laneId, mode } = override;
    const reason = mode === 'held-open' ? 'hold-lapsed' : 'closing-lapsed';
    void this.set({ id: newId(), laneId, action: 'release', by: `lane:${laneId}`, reason });
  }

  #put(override: GateOverride | undefined): void {
    const isOver = override?.mode === 'automatic' && override.confirmed;
    this.#override = isOver ? undefined : override;
  }

  #write(): void {
    if (this.#override) this.#store.save(this.#override);
    else this.#store.remove(this.#lane.id);
  }

  /** @returns whether it is on the disk */
  async #save(work: () => void): Promise<boolean> {
    try {
      await this.#context.commit.run(work);
      return true;
    } catch (err) {
      this.#context.log.error({ event: LOG_EVENTS.gateOverrideUnsaved, err });
      return false;
    }
  }
}
