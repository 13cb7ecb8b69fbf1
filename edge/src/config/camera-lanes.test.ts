import { describe, expect, it, test } from 'vitest';
import { testRead } from '../../test/site.ts';
import { LaneChooser } from '../camera/lane-chooser.ts';
import { type CameraLane, possibleLanes, sameSplits, splitWords } from './camera-lanes.ts';

const BY_ZONE: CameraLane[] = [
  { lane: 'in', zone: '1' },
  { lane: 'out', zone: '2' },
];
const TWO_WAY: CameraLane[] = [
  { lane: 'in', direction: 'approaching' },
  { lane: 'out', direction: 'leaving' },
];
const ONE_ZONE_IS_TWO_WAY: CameraLane[] = [
  { lane: 'street-in', zone: '1' },
  { lane: 'in', zone: '2', direction: 'approaching' },
  { lane: 'out', zone: '2' },
];

describe('the lanes to which a read may belong', () => {
  it.each<[string, CameraLane[], string | undefined, 'approaching' | 'leaving' | 'unknown', string[]]>([
    ['the zone', BY_ZONE, '1', 'leaving', ['in']],
    ['the other zone', BY_ZONE, '2', 'unknown', ['out']],
    ['a zone of nobody', BY_ZONE, '3', 'approaching', []],
    ['no zone', BY_ZONE, undefined, 'approaching', ['in', 'out']],
    ['the direction', TWO_WAY, '7', 'approaching', ['in']],
    ['the other direction', TWO_WAY, undefined, 'leaving', ['out']],
    ['no direction', TWO_WAY, '7', 'unknown', ['in', 'out']],
    ['zone and direction', ONE_ZONE_IS_TWO_WAY, '2', 'approaching', ['in']],
    ['a zone, and no other direction', ONE_ZONE_IS_TWO_WAY, '2', 'leaving', ['out']],
    ['a zone that has a lane for the rest', ONE_ZONE_IS_TWO_WAY, '2', 'unknown', ['out']],
    ['neither, and a direction', ONE_ZONE_IS_TWO_WAY, undefined, 'leaving', ['street-in', 'out']],
  ])('where the camera says %s', (_, splits, zone, direction, expected) => {
    expect(possibleLanes({ direction, ...(zone && { cameraZone: zone }) }, splits)).toEqual(expected);
    expect(
      possibleLanes({ direction, ...(zone && { cameraZone: zone }) }, splits.toReversed()).sort(),
    ).toEqual(expected.toSorted());
  });

  it('do not depend on how a zone is spelled', () => {
    const splits = [{ lane: 'in', zone: 'Gate A' }];
    expect(possibleLanes({ cameraZone: ' gate a ', direction: 'unknown' }, splits)).toEqual(['in']);
  });
});

describe('the lane of a read', () => {
  const AT = '2026-11-21T12:00:00.000Z';
  const camera = { id: 'cam', lane: 'in', lanes: TWO_WAY };
  const chooser = (inside: string[] | null = []) => {
    const lanes = new LaneChooser({
      visits: {
        openLike: (plates) => {
          if (inside === null) throw new Error('no database');
          return plates.some((plate) => inside.includes(plate)) ? [JSON.parse('{}')] : [];
        },
      },
      directions: new Map([
        ['in', 'entry'],
        ['out', 'exit'],
      ]),
      passageWindowMs: () => 8000,
    });
    return (...read: Parameters<LaneChooser['choose']>) => lanes.choose(...read);
  };
  const read = (plate: string | null, direction: 'approaching' | 'leaving' | 'unknown', eventKey: string) =>
    testRead(plate, { direction, eventKey });

  it('is by the books where the camera does not say which way the vehicle moves', () => {
    const laneOf = chooser(['KZD82']);
    expect(laneOf(camera, read('ABX12', 'unknown', 'a'), AT)).toBe('in');
    expect(laneOf(camera, read('KZD82', 'unknown', 'b'), AT)).toBe('out');
    expect(laneOf(camera, read(null, 'unknown', 'c'), AT)).toBe('out');
  });

  it('is the exit where the books cannot be read either', () => {
    expect(chooser(null)(camera, read('ABX12', 'unknown', 'a'), AT)).toBe('out');
  });

  it('stays the same for a vehicle, whatever else the camera says of it', () => {
    const laneOf = chooser();
    expect(laneOf(camera, read('ABX12', 'unknown', 'new'), AT)).toBe('in');
    expect(laneOf(camera, read('ABX12', 'leaving', 'update'), AT)).toBe('in');
    const related = testRead('ABX17', { direction: 'leaving', eventKey: 'x', relatedKeys: ['update'] });
    expect(laneOf(camera, related, AT)).toBe('in');
    const later = '2026-11-21T12:00:09.000Z';
    expect(laneOf(camera, read('ABX12', 'leaving', 'another time'), later)).toBe('out');
  });

  it.each([{ late: true }, { capturedAt: '2026-11-21T08:00:00.000Z' }])(
    'does not depend on what the camera sends again of the vehicle: %j',
    (old) => {
      const laneOf = chooser();
      const again = testRead('ABX12', { direction: 'approaching', eventKey: 'this morning', ...old });
      expect(laneOf(camera, again, AT)).toBe('in');
      expect(laneOf(camera, read('ABX12', 'leaving', 'now'), AT)).toBe('out');
    },
  );

  it('is the only one of a camera that is not split', () => {
    expect(chooser(null)({ id: 'cam', lane: 'in' }, read(null, 'leaving', 'a'), AT)).toBe('in');
  });
});

test('two splits between which nothing decides are found', () => {
  expect(sameSplits(ONE_ZONE_IS_TWO_WAY)).toEqual([]);
  expect(sameSplits([...BY_ZONE, { lane: 'third', zone: '2' }])).toEqual([{ at: 2, first: 1 }]);
});

test('a split in words', () => {
  expect(ONE_ZONE_IS_TWO_WAY.map(splitWords)).toEqual([
    'street-in (zone 1)',
    'in (zone 2, approaching)',
    'out (zone 2)',
  ]);
  expect(splitWords({ lane: 'out' })).toBe('out');
});
