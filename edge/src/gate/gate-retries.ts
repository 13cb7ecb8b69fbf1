import type { GateOutcome } from '@hlid/protocol/site-event';
import type { Opening } from './gate-keeper.ts';

/** Openings that came to nothing, wanted again while the car is still there: nobody is trapped by a relay that was away. */
export interface GateRetries {
  /** What became of an opening. */
  after(opening: Opening, outcome: GateOutcome): void;
  /** Another car is there, or the one for which the gate opened has gone through. */
  wentOn(laneId: string, passageId: string | null): void;
  stop(): void;
}

/** After a failure, and then each time longer, up to a limit. */
const FIRST_PAUSE_MS = 2100;
const MAX_PAUSE_MS = 4000;
/** A gate that opened and has closed again before a car that still stands on the loop. */
const STILL_STANDS_MS = 15_100;
/** So long a car is taken to be there where no loop says so: from an exit it cannot get away. */
const WAITS_MS = { exit: 120_000, entry: 12_000 };

interface Retrying {
  passageId: string | null;
  /** The gate opened, and the car still stands on the loop. */
  opened: boolean;
  /** Counted, not read from a clock that somebody may set. */
  waitedMs: number;
  pauseMs: number;
  timer: NodeJS.Timeout;
}

export function createGateRetries(parts: {
  directions: ReadonlyMap<string, 'entry' | 'exit'>;
  /** Whether a vehicle stands there; null: nobody knows. */
  arrival: (laneId: string) => boolean | null;
  /** Wants it open once more, for the passage or, null, for a car that could not be decided on. */
  again: (laneId: string, passageId: string | null, stillThere: boolean) => void;
}): GateRetries {
  const retrying = new Map<string, Retrying>();

  function end(laneId: string): void {
    clearTimeout(retrying.get(laneId)?.timer);
    retrying.delete(laneId);
  }

  function look(laneId: string): void {
    const known = retrying.get(laneId);
    if (!known) return;
    const there = parts.arrival(laneId);
    const direction = parts.directions.get(laneId) ?? 'exit';
    known.waitedMs += known.pauseMs;
    if (there === false || (there === null && known.waitedMs > WAITS_MS[direction])) {
      end(laneId);
      return;
    }
    // Should nothing come of it, not even an answer, it is looked again all the same.
    known.pauseMs = Math.max(known.pauseMs, Math.min(known.pauseMs * 1.3, MAX_PAUSE_MS));
    known.timer = setTimeout(() => look(laneId), known.pauseMs).unref();
    parts.again(laneId, known.passageId, there === true);
  }

  return {
    after({ laneId, passageId }, outcome) {
      const known = retrying.get(laneId);
      const same = known?.passageId === passageId;
      // At an entrance the next car may stand on the loop by then, and nobody has decided for it.
      const leaves = parts.directions.get(laneId) === 'exit';
      const standsOn = outcome === 'done' && leaves && parts.arrival(laneId) !== null;
      if (outcome === 'done' && !standsOn) {
        end(laneId);
        return;
      }
      if (same && outcome !== 'done') return;
      // Another car has come since: its own opening is what counts.
      end(laneId);
      const pauseMs = outcome === 'done' ? STILL_STANDS_MS : FIRST_PAUSE_MS;
      const timer = setTimeout(() => look(laneId), pauseMs).unref();
      retrying.set(laneId, { passageId, opened: outcome === 'done', waitedMs: 0, pauseMs, timer });
    },
    wentOn(laneId, passageId) {
      const known = retrying.get(laneId);
      // Who stands before a gate that does not move has gone nowhere, whoever is read behind him.
      if (known?.opened && (passageId === null || known.passageId !== passageId)) end(laneId);
    },
    stop() {
      for (const laneId of [...retrying.keys()]) end(laneId);
    },
  };
}
