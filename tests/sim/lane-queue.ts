import type { SimulatedLane } from './lane-approach.ts';

/** Cars in front of a lane: one at a time, in the order in which they came. */
export interface LaneQueue {
  readonly lane: SimulatedLane;
  length(): number;
  add(car: (lane: SimulatedLane) => Promise<void>): void;
  /** Resolves when the lane is empty. */
  empty(): Promise<void>;
}

/** @param signal once aborted, cars that have not had their turn do not get it */
export function createLaneQueue(lane: SimulatedLane, signal: AbortSignal): LaneQueue {
  let length = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    lane,
    length: () => length,
    add(car) {
      length++;
      last = last.then(async () => {
        if (!signal.aborted) await car(lane);
        length--;
      });
    },
    empty: () => last,
  };
}
