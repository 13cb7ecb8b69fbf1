import { setTimeout as pause } from 'node:timers/promises';
import { RetryPause } from '@hlid/node/retry-pause';
import type { Gate } from './gate.ts';

const LOOK = { firstMs: 2000, maxMs: 60_000 };

/**
 * Asks the gates that can tell how they stand, from the start on, until each says that it is closed: nobody knows what
 * became of them while the program was away.
 *
 * @param parts.hasMoved it was told to move since, and what is known of it is better
 */
export function createFirstLook(parts: {
  gates: ReadonlyMap<string, Gate>;
  hasMoved: (laneId: string) => boolean;
  onReport: (laneId: string, state: 'open' | 'closed') => void;
  look?: { firstMs: number; maxMs: number };
}): { start(): void; stop(): void } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(laneId: string, gate: Gate): Promise<void> {
    const between = new RetryPause(parts.look ?? LOOK);
    while (!signal.aborted) {
      const state = await gate.report?.();
      if (state === undefined || signal.aborted || parts.hasMoved(laneId)) return;
      if (state !== 'unknown') parts.onReport(laneId, state);
      if (state === 'closed') return;
      await pause(between.nextMs(), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      for (const [laneId, gate] of parts.gates) void look(laneId, gate);
    },
    stop: () => stopping.abort(),
  };
}
