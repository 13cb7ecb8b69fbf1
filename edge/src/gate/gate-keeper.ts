import type { GateOutcome } from '@hlid/protocol/site-event';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { GateView } from '../local-api/lane-board.ts';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { Gate } from './gate.ts';

/** A gate that is to open, decided and on the disk. */
export interface Opening {
  laneId: string;
  passageId: string | null;
  why: string;
  by: string;
  /** The last try's answer was lost: only where the device says that the gate is closed. */
  onlyIfClosed: boolean;
}

export interface GateKeeper {
  /** Opens, and writes down what came of it. Never throws. */
  open(opening: Opening): Promise<GateOutcome>;
  /** Writes down, within the running transaction, that nobody knows whether this gate opened. */
  recordUnknown(opening: Opening, at: UtcTime): void;
  view(laneId: string): GateView;
  isOpen(laneId: string): boolean;
}

/** How long a gate stands open after a pulse, as far as anyone can know who gets no report from it. */
const OPEN_FOR_MS = 6000;

export function createGateKeeper(parts: {
  gates: ReadonlyMap<string, Gate>;
  commit: GroupCommit;
  events: EventLog;
  /** Within the transaction that records the movement. */
  onMoved: (opening: Opening, outcome: GateOutcome, at: UtcTime) => void;
  /** Within a transaction of its own, before a gate whose answer was lost is told once more; false: it has been. */
  mayRepeat: (opening: Opening, at: UtcTime) => boolean;
  onView: (laneId: string, view: GateView) => void;
  clock: Clock;
  log: Logger;
}): GateKeeper {
  const { gates, commit, events, clock, log } = parts;
  const views = new Map<string, GateView>();
  const openUntil = new Map<string, number>();

  function show(laneId: string, state: GateView['state'], lastError: string | null): void {
    const view = { state, since: utcTime(clock.now()), lastError };
    views.set(laneId, view);
    parts.onView(laneId, view);
  }

  /** Whether a gate whose last answer was lost may be told again: only the device itself can say that it is closed. */
  async function mayRepeat(gate: Gate, opening: Opening): Promise<boolean> {
    if ((await gate.report?.()) !== 'closed') return false;
    return commit.run(() => parts.mayRepeat(opening, utcTime(clock.now())));
  }

  function showOutcome(laneId: string, outcome: GateOutcome): void {
    if (outcome !== 'done') {
      show(laneId, 'unknown', outcome);
      return;
    }
    const until = clock.now().getTime() + OPEN_FOR_MS;
    openUntil.set(laneId, until);
    show(laneId, 'open', null);
    setTimeout(() => {
      if (openUntil.get(laneId) === until) show(laneId, 'closed', null);
    }, OPEN_FOR_MS).unref();
  }

  function record(opening: Opening, outcome: GateOutcome, tookMs: number, at: UtcTime): void {
    const { laneId, passageId, by, why } = opening;
    const movementId = newId();
    events.append(
      { type: 'gate.moved', movementId, laneId, passageId, action: 'pulse', outcome, by, why, tookMs },
      at,
    );
  }

  return {
    recordUnknown: (opening, at) => record(opening, 'unknown', 0, at),
    async open(opening) {
      const { laneId, why } = opening;
      const gate = gates.get(laneId);
      if (!gate) return 'unreachable';
      if (opening.onlyIfClosed && !(await mayRepeat(gate, opening))) return 'unknown';
      show(laneId, 'opening', null);
      const started = performance.now();
      const outcome = await gate.pulse();
      const tookMs = Math.round(performance.now() - started);
      showOutcome(laneId, outcome);
      const at = utcTime(clock.now());
      log[outcome === 'done' ? 'info' : 'warn']({
        event: LOG_EVENTS.gateMoved,
        laneId,
        outcome,
        why,
        tookMs,
      });
      try {
        // Should the power go first, the gate counts as not confirmed, which is true.
        await commit.runSoon(() => {
          record(opening, outcome, tookMs, at);
          parts.onMoved(opening, outcome, at);
        });
      } catch (error) {
        log.error({ event: LOG_EVENTS.gateUnrecorded, laneId, err: error });
      }
      return outcome;
    },
    view: (laneId) => views.get(laneId) ?? { state: 'closed', since: utcTime(clock.now()), lastError: null },
    isOpen: (laneId) => (openUntil.get(laneId) ?? 0) > clock.now().getTime(),
  };
}
