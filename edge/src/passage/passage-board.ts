import type { Direction } from '@hlid/protocol/lane';
import type { GateView, LaneBoard, PassageView } from '../local-api/lane-board.ts';
import type { Passage, PassageStore } from './passage-store.ts';

const SHOWN = 10;

/** What people see of the lanes: the last passages, kept in memory and read from the database at the start. */
export interface PassageBoard extends LaneBoard {
  showPassage(passage: Passage): void;
  showGate(laneId: string, gate: GateView): void;
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
      const others = (shown.get(passage.laneId) ?? []).filter((other) => other.id !== view.id);
      shown.set(passage.laneId, [view, ...others].slice(0, SHOWN));
      for (const listener of listeners) listener({ laneId: passage.laneId, passage: view });
    },
    refresh,
    showGate(laneId, gate) {
      for (const listener of listeners) listener({ laneId, gate });
    },
  };
}

function viewOf(passage: Passage): PassageView {
  const { id, laneId, plate, visitId, decision, lastSeenAt } = passage;
  const { open, reason, flags } = decision;
  return { id, at: lastSeenAt, laneId, plate, open, reason, visitId, flags };
}
