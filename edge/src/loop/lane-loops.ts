import type { Clock } from '@hlid/node/clock';
import type { LoopSource } from './loop-source.ts';
import {
  afterLoopEvent,
  type LoopEvent,
  type LoopNews,
  NO_LOOPS,
  TURNED_BACK_AFTER_MS,
} from './loop-state.ts';

/** The loops of one lane, and what they say of the cars there. */
export interface LaneLoops {
  /** A vehicle stands before the gate; null: nobody knows. */
  arrival(): boolean | null;
  /** Who drives through is counted: a second plate behind the first need not be guessed at. */
  countsPasses(): boolean;
  /** The gate is told to open. */
  opening(passageId: string | null): void;
  notOpened(passageId: string | null): void;
  stop(): void;
}

export function createLaneLoops(parts: {
  arrival: LoopSource;
  passed: LoopSource;
  heldOpen: () => boolean;
  onNews: (news: LoopNews) => void;
  clock: Clock;
}): LaneLoops {
  const { arrival, passed, clock } = parts;
  let state = NO_LOOPS;
  let turning: NodeJS.Timeout | undefined;

  function tell(event: LoopEvent): void {
    const after = afterLoopEvent(state, event, clock.now().getTime());
    state = after.state;
    for (const news of after.news) parts.onNews(news);
  }

  function look(): void {
    tell({
      kind: 'loops',
      arrival: arrival.occupied(),
      passed: passed.occupied(),
      heldOpen: parts.heldOpen(),
    });
    clearTimeout(turning);
    if (state.arrivalLeftAtMs !== null && state.expected.length > 0) {
      turning = setTimeout(() => tell({ kind: 'time' }), TURNED_BACK_AFTER_MS + 1).unref();
    }
  }

  arrival.watch(look);
  passed.watch(look);

  return {
    arrival: arrival.occupied,
    countsPasses: () => passed.occupied() !== null,
    opening(passageId) {
      // Its device may have gone away since it last told anything.
      look();
      tell({ kind: 'opening', passageId });
    },
    notOpened: (passageId) => tell({ kind: 'not-opened', passageId }),
    stop: () => clearTimeout(turning),
  };
}
