import type { Clock } from '@hlid/node/clock';
import type { GateAction, GateOutcome } from '@hlid/protocol/site-event';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { GateView } from '../local-api/lane-board.ts';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { createFirstLook } from './first-look.ts';
import type { Gate } from './gate.ts';
import type { GateMode, Movement } from './gate-order.ts';
import type { GateOrderStore } from './gate-order-store.ts';
import { createGateOrders } from './gate-orders.ts';

/** A gate that is to open, decided and on the disk. */
export interface Opening {
  laneId: string;
  passageId: string | null;
  why: string;
  by: string;
  /** The last try's answer was lost: only where the device says that the gate is closed. */
  onlyIfClosed: boolean;
}

/** Moves the gates, for lanes and for people, and writes down what came of it. */
export interface GateKeeper {
  /** Opens for a lane. Never throws. */
  open(opening: Opening): Promise<GateOutcome>;
  /** Does what a person wants; resolves once that is written down. Never throws. */
  move(movement: Movement): Promise<GateOutcome>;
  /** Writes down, within the running transaction, that nobody knows whether this gate opened. */
  recordUnknown(opening: Opening, at: UtcTime): void;
  view(laneId: string): GateView;
  isOpen(laneId: string): boolean;
  mode(laneId: string): GateMode;
  /** Takes up what people had said about the gates when the program ended, and asks how they stand. */
  start(): void;
  stop(): void;
}

/** Movements that could not be written down are kept for a better moment, the newest of them. */
const MAX_UNRECORDED = 1000;
/** How long a gate stands open after a pulse, as far as anyone can know who gets no report from it. */
const OPEN_FOR_MS = 6000;

export function createGateKeeper(parts: {
  lanes: readonly { id: string; direction: 'entry' | 'exit'; gateOpenMs?: number | undefined }[];
  gates: ReadonlyMap<string, Gate>;
  orderStore: GateOrderStore;
  commit: GroupCommit;
  events: EventLog;
  /** Within the transaction that records the movement. */
  onMoved: (opening: Opening, outcome: GateOutcome, at: UtcTime) => void;
  /** A person has opened it, within the transaction that records that. @returns the passage of the car that waited */
  onLetGo: (laneId: string, at: UtcTime, outcome: GateOutcome) => string | null;
  onReopened: (laneId: string, closedSince: UtcTime) => void;
  /** Within a transaction of its own, before a gate whose answer was lost is told once more; false: it has been. */
  mayRepeat: (opening: Opening, at: UtcTime) => boolean;
  onView: (laneId: string, view: GateView) => void;
  /** It is told to open now (null), or was told and this is what became of it; of no passage where a person opens. */
  onPulse: (laneId: string, passageId: string | null, outcome: GateOutcome | null) => void;
  clock: Clock;
  log: Logger;
}): GateKeeper {
  const { gates, commit, events, clock, log } = parts;
  const states = new Map<string, Pick<GateView, 'state' | 'since' | 'lastError'>>();
  const openUntil = new Map<string, number>();
  const closings = new Map<string, NodeJS.Timeout>();
  const openForMs = new Map(parts.lanes.map(({ id, gateOpenMs = OPEN_FOR_MS }) => [id, gateOpenMs]));
  /** How those stand that have not moved since the start, by what they say. */
  const reported = new Map<string, Pick<GateView, 'state' | 'since' | 'lastError'>>();
  const unrecorded: (() => void)[] = [];
  const now = (): UtcTime => utcTime(clock.now());
  const startedAt = now();

  const orders = createGateOrders({
    ...{ lanes: parts.lanes, gates, store: parts.orderStore, commit, clock, log },
    onMoved(wish, outcome, tookMs, at) {
      const opened = wish.action === 'hold' && outcome === 'done';
      const passageId = opened ? parts.onLetGo(wish.laneId, at, outcome) : null;
      record({ ...wish, passageId }, outcome, tookMs, at);
    },
    onChanged: (laneId, outcome) => show(laneId, 'closed', outcome === 'done' ? null : outcome),
    onReopened: parts.onReopened,
  });

  const firstLook = createFirstLook({
    gates,
    hasMoved: (laneId) => states.has(laneId),
    onReport(laneId, state) {
      if (reported.get(laneId)?.state === state) return;
      reported.set(laneId, { state, since: now(), lastError: null });
      parts.onView(laneId, view(laneId));
    },
  });

  function show(laneId: string, state: GateView['state'], lastError: string | null): void {
    states.set(laneId, { state, since: now(), lastError });
    parts.onView(laneId, view(laneId));
  }

  function view(laneId: string): GateView {
    const order = orders.standing(laneId);
    const unseen = { state: 'unknown', since: order?.since ?? startedAt, lastError: null } as const;
    const { state, since, lastError } = states.get(laneId) ?? reported.get(laneId) ?? unseen;
    const mode = orders.mode(laneId);
    // A person may open a gate that is kept closed: then that is what is seen.
    const moves = mode === 'kept-closed' && (state === 'open' || state === 'opening');
    return { state: mode === 'automatic' || moves ? state : mode, since, lastError, order };
  }

  /** Its answer was lost, and it says now that it stands open: it has done as it was told. */
  async function confirm(opening: Opening): Promise<GateOutcome> {
    showOutcome(opening.laneId, 'done');
    try {
      await commit.runSoon(() => parts.onMoved(opening, 'done', now()));
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId: opening.laneId, err });
    }
    return 'done';
  }

  /** Written down before it is told again: what nobody would remember is not repeated. */
  async function mayRepeat(opening: Opening): Promise<boolean> {
    try {
      return await commit.run(() => parts.mayRepeat(opening, now()));
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId: opening.laneId, err });
      return false;
    }
  }

  function showOutcome(laneId: string, outcome: GateOutcome): void {
    if (outcome !== 'done') {
      show(laneId, 'unknown', outcome);
      return;
    }
    const openMs = openForMs.get(laneId) ?? OPEN_FOR_MS;
    openUntil.set(laneId, clock.now().getTime() + openMs);
    show(laneId, 'open', null);
    clearTimeout(closings.get(laneId));
    const closing = setTimeout(() => {
      // Also where the clock was set back meanwhile.
      openUntil.delete(laneId);
      show(laneId, 'closed', null);
    }, openMs);
    closings.set(laneId, closing.unref());
  }

  function record(
    moved: {
      id?: string;
      laneId: string;
      action: GateAction;
      passageId: string | null;
      by: string;
      why: string;
    },
    outcome: GateOutcome,
    tookMs: number,
    at: UtcTime,
  ): void {
    const { id: movementId = newId(), laneId, action, passageId, by, why } = moved;
    events.append(
      { type: 'gate.moved', movementId, laneId, passageId, action, outcome, by, why, tookMs },
      at,
    );
  }

  /** Tells the device to open, shows it, and writes it down. */
  async function pulse(
    gate: Gate,
    { laneId, why, passageId = null }: { laneId: string; why: string; passageId?: string | null },
    write: (outcome: GateOutcome, tookMs: number, at: UtcTime) => void,
    commitBy: GroupCommit['run'],
  ): Promise<GateOutcome> {
    show(laneId, 'opening', null);
    parts.onPulse(laneId, passageId, null);
    const started = performance.now();
    const outcome = await gate.pulse();
    const tookMs = Math.round(performance.now() - started);
    showOutcome(laneId, outcome);
    parts.onPulse(laneId, passageId, outcome);
    const at = now();
    const level = outcome === 'done' ? 'info' : 'warn';
    log[level]({ event: LOG_EVENTS.gateMoved, laneId, outcome, why, tookMs });
    try {
      // Should the power go first, the gate counts as not confirmed, which is true.
      await commitBy(() => write(outcome, tookMs, at));
    } catch (error) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId, err: error });
      unrecorded.push(() => write(outcome, tookMs, at));
      if (unrecorded.length > MAX_UNRECORDED) unrecorded.shift();
    }
    return outcome;
  }

  /** The database is back: what gates did meanwhile is written down after all. */
  commit.onCommitted(() => {
    const writes = unrecorded.splice(0);
    if (writes.length === 0) return;
    commit
      .runSoon(() => {
        for (const write of writes) write();
      })
      .catch(() => {
        for (const write of [...writes, ...unrecorded.splice(0)]) unrecorded.push(write);
      });
  });

  async function openFor(movement: Movement): Promise<GateOutcome> {
    const { laneId } = movement;
    const gate = gates.get(laneId);
    if (!gate) return 'unreachable';
    const write = (outcome: GateOutcome, tookMs: number, at: UtcTime) => {
      const opened = outcome === 'done' || outcome === 'unknown';
      record(
        { ...movement, passageId: opened ? parts.onLetGo(laneId, at, outcome) : null },
        outcome,
        tookMs,
        at,
      );
    };
    if (orders.mode(laneId) !== 'held-open') return await pulse(gate, movement, write, commit.run);
    // It stands open, and a pulse would end that.
    await commit
      .run(() => write('done', 0, now()))
      .catch((err: unknown) => {
        log.error({ event: LOG_EVENTS.gateUnrecorded, laneId, err });
      });
    return 'done';
  }

  return {
    recordUnknown: (opening, at) => record({ ...opening, action: 'pulse' }, 'unknown', 0, at),
    async open(opening) {
      const { laneId } = opening;
      const gate = gates.get(laneId);
      if (!gate) return 'unreachable';
      // Said in the meantime, or to a lane that cannot decide.
      const mode = orders.mode(laneId);
      if (mode !== 'automatic') return mode === 'held-open' ? 'done' : 'refused';
      if (opening.onlyIfClosed) {
        const stands = (await gate.report?.()) ?? 'unknown';
        if (stands === 'open') return await confirm(opening);
        if (stands !== 'closed' || !(await mayRepeat(opening))) return 'unknown';
      }
      const write = (outcome: GateOutcome, tookMs: number, at: UtcTime) => {
        record({ ...opening, action: 'pulse' }, outcome, tookMs, at);
        parts.onMoved(opening, outcome, at);
      };
      return await pulse(gate, opening, write, commit.runSoon);
    },
    async move(movement) {
      const { action } = movement;
      return action === 'pulse' ? await openFor(movement) : await orders.give({ ...movement, action });
    },
    view,
    isOpen: (laneId) =>
      orders.mode(laneId) !== 'held-open' && (openUntil.get(laneId) ?? 0) > clock.now().getTime(),
    mode: orders.mode,
    start() {
      orders.start();
      firstLook.start();
    },
    stop() {
      orders.stop();
      firstLook.stop();
    },
  };
}
