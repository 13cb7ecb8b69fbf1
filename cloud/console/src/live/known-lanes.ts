import type { LaneBoard, SiteBoard } from '@hlid/protocol/site-link/site-board';
import { useSyncExternalStore } from 'react';

/** The facts about a lane without its board. */
export interface KnownLane extends Pick<LaneBoard, 'id' | 'name' | 'direction'> {
  hasGate: boolean;
}

const known = new Map<string, readonly KnownLane[]>();
const listeners = new Set<() => void>();
let version = 0;

/** Every board that comes names the lanes of its site. */
export function noteLanes(siteId: string, board: SiteBoard | null): void {
  if (board === null) return;
  const lanes = board.lanes.map(({ id, name, direction, gate }) => ({
    id,
    name,
    direction,
    hasGate: gate.state !== 'none',
  }));
  if (JSON.stringify(known.get(siteId)) === JSON.stringify(lanes)) return;
  known.set(siteId, lanes);
  version += 1;
  for (const listener of listeners) listener();
}

/** The lanes by site that boards have named so far. */
export function useKnownLanes(): ReadonlyMap<string, readonly KnownLane[]> {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return known;
}
