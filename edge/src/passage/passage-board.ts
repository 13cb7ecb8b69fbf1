import type { Direction } from '@hlid/protocol/lane';
import type { GateView, LaneBoard, PassageView, ReadView } from '../local-api/lane-board.ts';
import type { Passage, PassageStore } from './passage-store.ts';

const SHOWN = 10;

/** What people see of the lanes: the last passages, kept in memory and read from the database at the start. */
export interface PassageBoard extends LaneBoard {
  showPassage(passage: Passage): void;
  showGate(laneId: string, gate: GateView): void;
  showRead(laneId: string, read: ReadView): void;
  /** Shows the passages as the database has them now: some were forgotten, or their plates. */
  refresh(): void;
}

export function createPassageBoard(parts: {
  lanes: readonly { id: string; name: string; direction: Direction }[];
  passages: PassageStore;
  gateView: (laneId: string) => GateView;
}): PassageBoard {
  const shown = new Map<string, PassageView[]>();
  function refresh(): void {
    for (const { id } of parts.lanes) {
      shown.set(id, parts.passages.recent(id).slice(0, SHOWN).map(viewOf));
    }
  }
  refresh();
  const listeners = new Set<Parameters<LaneBoard['subscribe']>[0]>();

  return {
    lanes: () =>
      parts.lanes.map(({ id, name, direction }) => ({
        id,
        name,
        direction,
        gate: parts.gateView(id),
        passages: shown.get(id) ?? [],
      })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    showPassage(passage) {
      const view = viewOf(passage);
      const before = shown.get(passage.laneId) ?? [];
      // Seen no later than before: another may have come since, and stays above it.
      const place = before.findIndex(({ id, at }) => id === view.id && at === view.at);
      const others = before.filter(({ id }) => id !== view.id);
      shown.set(passage.laneId, others.toSpliced(Math.max(place, 0), 0, view).slice(0, SHOWN));
      for (const listener of listeners) listener({ laneId: passage.laneId, passage: view });
    },
    refresh,
    showRead(laneId, read) {
      for (const listener of listeners) listener({ laneId, read });
    },
    showGate(laneId, gate) {
      for (const listener of listeners) listener({ laneId, gate });
    },
  };
}

function viewOf(passage: Passage): PassageView {
  const { id, laneId, plate, visitId, decision, lastSeenAt, gate } = passage;
  const { open, reason, flags } = decision;
  return { id, at: lastSeenAt, laneId, plate, open, reason, visitId, flags, gate };
}
