import type { Clock } from '@hlid/node/clock';
import { RetryPause } from '@hlid/node/retry-pause';
import type { GateAction, GateOutcome } from '@hlid/protocol/site-event';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import { newId } from '../new-id.ts';
import type { Gate } from './gate.ts';
import { type GateMode, type GateOrder, hasLapsed, type Movement, modeOf, orderAfter } from './gate-order.ts';
import type { GateOrderStore } from './gate-order-store.ts';

type Ordering = Movement & { action: Exclude<GateAction, 'pulse'> };

/** Gates that people hold open or keep closed: what stands, told to the devices until they know, kept over restarts. */
export interface GateOrders {
  /** How the lane is to behave now. */
  mode(laneId: string): GateMode;
  /** What stands; also where its device does not know yet. */
  standing(laneId: string): GateOrder | null;
  /** Never throws. */
  give(wish: Ordering): Promise<GateOutcome>;
  /** Takes up what stood when the program ended. */
  start(): void;
  stop(): void;
}

const RETELL = { firstMs: 1000, maxMs: 60_000 };
/** A device that loses its power forgets that it holds a gate open, and cars would stand before it. */
const RENEW_MS = 30_000;

export function createGateOrders(parts: {
  lanes: readonly { id: string; direction: 'entry' | 'exit' }[];
  gates: ReadonlyMap<string, Gate>;
  store: GateOrderStore;
  commit: GroupCommit;
  /** Within the transaction that notes what became of it. */
  onMoved: (wish: Ordering, outcome: GateOutcome, tookMs: number, at: UtcTime) => void;
  /** After it. */
  onChanged: (laneId: string, outcome: GateOutcome) => void;
  /** The lane decides again, after it was kept closed since then. */
  onReopened: (laneId: string, closedSince: UtcTime) => void;
  clock: Clock;
  log: Logger;
  renewMs?: number;
}): GateOrders {
  const { gates, store, commit, clock, log, renewMs = RENEW_MS } = parts;
  const directions = new Map(parts.lanes.map(({ id, direction }) => [id, direction]));
  const orders = new Map<string, GateOrder>();
  /** One wish after the other, for each lane. */
  const lines = new Map<string, Promise<unknown>>();
  const timers = new Map<string, NodeJS.Timeout>();
  let stopped = false;

  const mode = (laneId: string): GateMode => modeOf(orders.get(laneId), clock.now());

  function inLine<T>(laneId: string, work: () => Promise<T>): Promise<T> {
    const before = lines.get(laneId) ?? Promise.resolve();
    const done = before.then(work);
    lines.set(
      laneId,
      done.catch(() => undefined),
    );
    return done;
  }

  /** @returns whether it is on the disk */
  async function save(work: () => void): Promise<boolean> {
    try {
      await commit.run(work);
      return true;
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateOrderUnsaved, err });
      return false;
    }
  }

  function put(laneId: string, order: GateOrder | undefined): void {
    if (order && !(order.mode === 'automatic' && order.told)) orders.set(laneId, order);
    else orders.delete(laneId);
  }

  function write(laneId: string): void {
    const order = orders.get(laneId);
    if (order) store.save(order);
    else store.remove(laneId);
  }

  async function tell({ laneId, mode }: GateOrder, wasHeld: boolean): Promise<GateOutcome> {
    const gate = gates.get(laneId);
    switch (mode) {
      case 'held-open':
        return (await gate?.hold?.()) ?? 'refused';
      case 'kept-closed':
        if (gate?.close) return await gate.close();
        return (wasHeld ? await gate?.release?.() : null) ?? 'done';
      case 'automatic':
        return (await gate?.release?.()) ?? 'done';
      default:
        return mode satisfies never;
    }
  }

  async function carryOut(wish: Ordering): Promise<GateOutcome> {
    const { laneId, action } = wish;
    if (wish.stillWanted?.() === false) return 'unreachable';
    const started = performance.now();
    const order = orderAfter(wish, directions.get(laneId) ?? 'exit', utcTime(clock.now()));
    const before = orders.get(laneId);
    const wasHeld = before?.mode === 'held-open';
    const canHold = gates.get(laneId)?.hold !== undefined;
    let outcome: GateOutcome = 'refused';
    if (action !== 'hold' || canHold) {
      put(laneId, order);
      const saved = await save(() => write(laneId));
      // A closing that nobody would remember is not done; an opening is, whatever the disk does.
      if (saved || action !== 'close') outcome = await tell(order, wasHeld);
      const inVain =
        action === 'hold' ? outcome === 'refused' || outcome === 'unreachable' : !saved && action === 'close';
      put(laneId, inVain ? before : { ...order, told: outcome === 'done' });
    }
    const at = utcTime(clock.now());
    const tookMs = Math.round(performance.now() - started);
    await save(() => {
      write(laneId);
      parts.onMoved(wish, outcome, tookMs, at);
    });
    log[outcome === 'done' ? 'info' : 'warn']({
      event: LOG_EVENTS.gateOrdered,
      ...{ laneId, action, outcome, by: wish.by, tookMs },
    });
    parts.onChanged(laneId, outcome);
    lookAfter(laneId);
    if (before?.mode === 'kept-closed' && mode(laneId) !== 'kept-closed')
      parts.onReopened(laneId, before.since);
    return outcome;
  }

  /** Sees to what stands: that its device gets to know, and that it lapses in time. */
  function lookAfter(laneId: string, retell = new RetryPause(RETELL)): void {
    clearTimeout(timers.get(laneId));
    const order = orders.get(laneId);
    if (!order || stopped) return;
    const again = () => void inLine(laneId, () => tellAgain(order, retell));
    if (hasLapsed(order, clock.now())) lapse(order);
    else if (!order.told) later(laneId, retell.nextMs(), again);
    else if (order.mode === 'held-open') later(laneId, renewMs, again);
    else if (order.lapsesAt !== null) {
      later(laneId, millis(order.lapsesAt) - clock.now().getTime(), () => lapse(order));
    }
  }

  function later(laneId: string, ms: number, work: () => void): void {
    timers.set(laneId, setTimeout(work, ms).unref());
  }

  function lapse(order: GateOrder): void {
    if (orders.get(order.laneId) !== order) return;
    const { laneId } = order;
    const by = `lane:${laneId}`;
    void inLine(laneId, () =>
      carryOut({ id: newId(), laneId, action: 'release', by, why: 'closing-lapsed' }),
    );
  }

  async function tellAgain(order: GateOrder, retell: RetryPause): Promise<void> {
    const { laneId } = order;
    if (orders.get(laneId) !== order || stopped) return;
    const outcome = await tell(order, true);
    const told = outcome === 'done';
    if (told !== order.told) {
      put(laneId, { ...order, told });
      await save(() => write(laneId));
    }
    if (!told || !order.told) parts.onChanged(laneId, outcome);
    lookAfter(laneId, retell);
  }

  return {
    mode,
    standing: (laneId) => orders.get(laneId) ?? null,
    give: (wish) => inLine(wish.laneId, () => carryOut(wish)),
    start() {
      for (const order of store.load()) {
        if (!directions.has(order.laneId)) continue;
        // What the device has forgotten while we were away, or was never told, it is told now.
        const anew = { ...order, told: false };
        orders.set(order.laneId, anew);
        if (hasLapsed(anew, clock.now())) lapse(anew);
        else void inLine(order.laneId, () => tellAgain(anew, new RetryPause(RETELL)));
      }
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
