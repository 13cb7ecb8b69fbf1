import { describe, expect, it } from 'vitest';
import { carsInside, insideOffsetFor, isFull, siteOffset } from './occupancy.ts';

const inside = [
  { laneId: 'in-1', cars: 3 },
  { laneId: 'in-2', cars: 1 },
  { laneId: null, cars: 1 },
];
const zone = (capacity: number | null, insideOffset = 0) => ({ capacity, insideOffset, lanes: ['in-1'] });

it('a correction makes the count what a person found, and is never below none', () => {
  expect(carsInside(7, insideOffsetFor(4, 7))).toBe(4);
  expect(carsInside(5, insideOffsetFor(4, 7))).toBe(2);
  expect(carsInside(2, insideOffsetFor(4, 7))).toBe(0);
});

describe('isFull', () => {
  it.each([
    ['nothing is counted', null, [], zone(null), false],
    ['a site of as many', 5, [], null, true],
    ['a site with room', 6, [], null, false],
    ['a site with fewer than counted', 5, [-2, 1], null, false],
    ['a site with more than counted', 6, [1], null, true],
    ['a zone of as many by its lanes', null, [], zone(3), true],
    ['a zone with fewer than counted', null, [-1], zone(3, -1), false],
    ['a zone with more than counted', null, [1], zone(4, 1), true],
    ['a zone of a full site', 5, [], zone(100), true],
  ] as const)('%s', (_what, capacity, offsets, of, full) => {
    const offset = siteOffset(offsets.map((insideOffset) => ({ insideOffset })));
    expect(isFull(capacity, offset, of, inside)).toBe(full);
  });
});
