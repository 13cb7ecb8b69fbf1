import type { Clock } from '@hlid/node/clock';
import type { SiteSettings } from '@hlid/protocol/lane';
import type { LaneBoard, LaneNews } from '../local-api/lane-board.ts';
import { createLaneDisplay, type LaneDisplay } from './lane-display.ts';

/** The displays of all lanes, and the board with what they show. */
export interface LaneDisplays {
  of(laneId: string): LaneDisplay | undefined;
  /** @param board of the passages and gates alone */
  on(board: LaneBoard): LaneBoard;
  /** Ways to pay have come or gone: whoever stands there is told anew. */
  lookAgain(): void;
  stop(): void;
}

export function createLaneDisplays(parts: {
  laneIds: readonly string[];
  settings: () => SiteSettings;
  kioskWorks: () => boolean;
  clock: Clock;
}): LaneDisplays {
  const { laneIds, ...others } = parts;
  const listeners = new Set<(news: LaneNews) => void>();
  const displays = new Map(
    laneIds.map((laneId) => [
      laneId,
      createLaneDisplay({
        ...others,
        onChanged(instruction) {
          for (const listener of listeners) listener({ laneId, instruction });
        },
      }),
    ]),
  );

  return {
    of: (laneId) => displays.get(laneId),
    on: (board) => ({
      lanes: () =>
        board.lanes().map((lane) => ({ ...lane, instruction: displays.get(lane.id)?.view() ?? null })),
      subscribe(listener) {
        listeners.add(listener);
        const end = board.subscribe(listener);
        return () => {
          listeners.delete(listener);
          end();
        };
      },
    }),
    lookAgain() {
      for (const display of displays.values()) display.lookAgain();
    },
    stop() {
      for (const display of displays.values()) display.stop();
    },
  };
}
