import { MINUTE_MS } from '../base/durations.ts';
import { millis } from '../base/utc-time.ts';
import type { LaneBoard } from '../site-link/site-board.ts';

/** The same plate at two lanes within this time is one car, also without a visit. */
const SAME_CAR_MS = 2 * MINUTE_MS;

/**
 * Passages of cars that another lane of the same direction has seen since, with the id of that lane. A car that went from
 * one exit to the next is one line.
 */
export function seenElsewhere(
  lanes: readonly Pick<LaneBoard, 'id' | 'direction' | 'car' | 'earlier'>[],
): Record<string, string> {
  const seen = lanes.flatMap(({ id, direction, car, earlier }) =>
    [...(car ? [car] : []), ...earlier].map((one) => ({ laneId: id, direction, ...one })),
  );
  type Seen = (typeof seen)[number];
  const isSameCar = (one: Seen, other: Seen) =>
    (one.visitId !== null && one.visitId === other.visitId) ||
    (one.plate !== null &&
      one.plate === other.plate &&
      Math.abs(millis(one.seenAt) - millis(other.seenAt)) < SAME_CAR_MS);
  const isLater = (one: Seen, other: Seen) =>
    one.seenAt === other.seenAt ? one.laneId > other.laneId : one.seenAt > other.seenAt;
  return Object.fromEntries(
    seen.flatMap((one) => {
      const later = seen.filter(
        (other) =>
          other.laneId !== one.laneId &&
          other.direction === one.direction &&
          isSameCar(one, other) &&
          isLater(other, one),
      );
      const last = later.toSorted((a, b) => a.seenAt.localeCompare(b.seenAt)).at(-1);
      return last ? [[one.passageId, last.laneId]] : [];
    }),
  );
}
