import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growsInProportion, growthOf } from '../../test/cost.ts';
import { HOUR_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import { comparePlates } from '../plate/plate.ts';
import type { PlateRead } from '../plate/plate-read.ts';
import { type CameraSettings, CameraSettingsSchema } from './lane.ts';
import {
  findPassage,
  isSentAgain,
  judgeRead,
  keysToStore,
  LATE_AFTER_MS,
  type PassageInView,
  plateForOtherLanes,
  underKey,
} from './passage.ts';

const NOW = '2026-11-21T08:30:00.000Z';
const WINDOWS = { passageWindowMs: 8000, standingMs: 120_000 };

const ago = (ms: number): UtcTime => utcTime(millis(NOW) - ms);

function readOf(plate: string | null, changes: Partial<PlateRead> = {}): PlateRead {
  return {
    plate,
    plateRaw: plate ?? '',
    score: plate === null ? 0 : 0.9,
    country: null,
    direction: 'approaching',
    capturedAt: NOW,
    eventKey: 'event-new',
    relatedKeys: [],
    candidates: [],
    late: false,
    parked: false,
    ...changes,
  };
}

function judge(
  read: PlateRead,
  camera: Partial<CameraSettings> = {},
  conditions: { clockBehindMs?: number; directionReliable?: boolean } = {},
) {
  return judgeRead(read, {
    receivedAt: NOW,
    camera: CameraSettingsSchema.parse(camera),
    clockBehindMs: 0,
    directionReliable: true,
    ...conditions,
  });
}

interface SeenPassage extends PassageInView {
  open: boolean;
}

function seen(plate: string | null, ms: number, keys: string[] = [], open = false): SeenPassage {
  const votes = plate === null ? [] : [{ plate, score: 0.9, weight: 1.8, reads: 2 }];
  return { id: `${plate}-${ms}`, plate, votes, lastSeenAt: ago(ms), open, keys: new Set(keys) };
}

/** A passage of which each of these plates was read once, the first with the most weight. */
function readOnce(plates: readonly [string, ...string[]], ms: number, open = false): SeenPassage {
  const votes = plates.map((plate, at) => ({ plate, score: 0.9 - at / 10, weight: 0.9 - at / 10, reads: 1 }));
  return { ...seen(plates[0], ms, [], open), votes };
}

const gone = (plate: string | null, ms: number) => seen(plate, ms, [], true);

const find = (read: PlateRead, ...recent: SeenPassage[]) =>
  findPassage(read, NOW, recent, WINDOWS, ({ open }) => open);

describe('judgeRead', () => {
  it('lets a good read count', () => {
    expect(judge(readOf('AB123'))).toBe('counts');
  });

  it('lets a vehicle without a readable plate count', () => {
    expect(judge(readOf(null))).toBe('counts');
    expect(judge(readOf(null), { filters: ['*'] })).toBe('counts');
  });

  it('hears no inactive camera', () => {
    expect(judge(readOf('AB123', { parked: true }), { status: 'inactive' })).toBe('camera-inactive');
  });

  it('opens for no parked car', () => {
    expect(judge(readOf('AB123', { parked: true, late: true }))).toBe('parked');
  });

  it('detects a vehicle against the lane where the direction is reliable', () => {
    expect(judge(readOf('AB123', { direction: 'leaving' }))).toBe('wrong-way');
    expect(judge(readOf('AB123', { direction: 'unknown' }))).toBe('counts');
    expect(judge(readOf('AB123', { direction: 'leaving' }), {}, { directionReliable: false })).toBe('counts');
    expect(judge(readOf(null, { direction: 'leaving' }))).toBe('wrong-way');
  });

  it('keeps a low score for review', () => {
    expect(judge(readOf('AB123', { score: 0.69 }))).toBe('low-score');
    expect(judge(readOf('AB123', { score: 0.7 }))).toBe('counts');
    expect(judge(readOf('AB123', { score: 0.7 }), { minimumOcrScore: 0.71 })).toBe('low-score');
  });

  it('calls late what the document calls late', () => {
    expect(judge(readOf('AB123', { late: true, capturedAt: null }))).toBe('late');
  });

  it('calls late what is older than 15 s, and not what is exactly so old', () => {
    expect(judge(readOf('AB123', { capturedAt: ago(LATE_AFTER_MS) }))).toBe('counts');
    expect(judge(readOf('AB123', { capturedAt: ago(LATE_AFTER_MS + 1) }))).toBe('late');
    expect(judge(readOf(null, { capturedAt: ago(LATE_AFTER_MS + 1) }))).toBe('late');
  });

  it('takes the known fault of the camera’s clock off the age', () => {
    const hourOff = 3_600_000;
    const fresh = readOf('AB123', { capturedAt: ago(hourOff + 1000) });
    expect(judge(fresh)).toBe('late');
    expect(judge(fresh, {}, { clockBehindMs: hourOff })).toBe('counts');
    const stale = readOf('AB123', { capturedAt: ago(20_000 - hourOff) });
    expect(judge(stale, {}, { clockBehindMs: -hourOff })).toBe('late');
  });

  it('does not wait for a clock that runs ahead', () => {
    expect(judge(readOf('AB123', { capturedAt: ago(-86_400_000) }))).toBe('counts');
    expect(judge(readOf('AB123', { capturedAt: null }))).toBe('counts');
  });

  it.each([
    ['AB123', 'AB123', true],
    ['AB123', 'ab123', true],
    ['AB123', 'AB-12 3', true],
    ['AB123', 'AB12', false],
    ['AB123', 'AB12?', true],
    ['AB123', 'AB123?', false],
    ['AB123', '?????', true],
    ['AB123', 'A*3', true],
    ['AB123', '*', true],
    ['AB123', '*B*2*', true],
    ['AB123', '*AB123*', true],
    ['AB123', 'B*', false],
    ['AB123', '*2', false],
    ['AB123', '', false],
    ['AB123', '*?*?*?*?*?*?*', false],
    ['HÚSIÐ', 'hús*', true],
    ['AB123', '[A-Z]*', false],
    ['AB123', '.*', true],
  ])('of the plate %s and the filter %s says that it fits: %s', (plate, filter, fits) => {
    expect(judge(readOf(plate), { filters: ['NOSUCH', filter] })).toBe(fits ? 'filtered' : 'counts');
  });

  it('is not held up by a filter full of stars', () => {
    const filters = [`${'*A'.repeat(200)}B`];
    const growth = growthOf((letters) => {
      const read = readOf('A'.repeat(letters));
      return () => judge(read, { filters });
    }, 16_000);
    expect(growth).toSatisfy(growsInProportion);
  });
});

describe('findPassage', () => {
  it('makes a new passage of a different plate', () => {
    expect(find(readOf('XY999'), seen('AB123', 1000))).toBeNull();
    expect(find(readOf('AB123'))).toBeNull();
  });

  it.each(['AB123', 'A8123', 'AB124', 'B123'])('joins AB123 and %s within the window', (plate) => {
    expect(find(readOf(plate), seen('AB123', 8000))?.plate).toBe('AB123');
  });

  it('does not join what looks alike after the window, once its gate was opened', () => {
    expect(find(readOf('A8123'), gone('AB123', 8001))).toBeNull();
    expect(find(readOf('AB124'), gone('AB123', 8001))).toBeNull();
    expect(find(readOf(null), seen('AB123', 8001))).toBeNull();
  });

  it('takes what looks alike for the car that still waits at the closed gate', () => {
    expect(find(readOf('AB124'), seen('AB123', 120_000))?.plate).toBe('AB123');
    expect(find(readOf('AB124'), seen('AB123', 120_001))).toBeNull();
    expect(find(readOf('AB124'), seen('XY999', 10_000), seen('AB123', 20_000))).toBeNull();
  });

  it('compares with every plate that was read of the passage', () => {
    const passage = { ...seen('AB723', 2000, [], true), votes: readOnce(['AB723', 'AB129'], 0).votes };
    expect(find(readOf('KB129'), passage)).toBe(passage);
    expect(find(readOf('KB129'), gone('AB723', 2000))).toBeNull();
  });

  it('joins two that may be misreadings of one plate, as long as no two reads agree', () => {
    const once = readOnce(['AB173'], 1000, true);
    expect(find(readOf('AX123'), once)).toBe(once);
    expect(find(readOf('AX129'), once)).toBeNull();
    expect(find(readOf('AX123'), gone('AB173', 1000))).toBeNull();
    expect(find(readOf('AX123'), readOnce(['AB173'], 8001, true))).toBeNull();
    expect(find(readOf('AX3'), readOnce(['AB3'], 1000, true))?.plate).toBe('AB3');
    expect(find(readOf('XY3'), readOnce(['AB3'], 1000, true))).toBeNull();
  });

  it('joins an unreadable read and the vehicle that waits at the closed gate, either way round', () => {
    expect(find(readOf(null), seen('AB123', 3000))?.plate).toBe('AB123');
    expect(find(readOf('AB123'), seen(null, 3000))?.plate).toBeNull();
    expect(find(readOf(null), seen(null, 3000))?.plate).toBeNull();
    expect(find(readOf('AB123'), seen('XY999', 1000), seen(null, 3000))).toBeNull();
  });

  it('behind an opened gate takes only a plate that comes at once for that of the unreadable vehicle', () => {
    expect(find(readOf('AB123'), gone(null, 2000))?.plate).toBeNull();
    expect(find(readOf('AB123'), gone(null, 2001))).toBeNull();
    expect(find(readOf(null), gone(null, 2001))).toBeNull();
    expect(find(readOf(null), gone('AB123', 1000))).toBeNull();
  });

  it('sees that the same car stands there still', () => {
    expect(find(readOf('AB123'), seen('AB123', 120_000))?.plate).toBe('AB123');
    expect(find(readOf('AB123'), seen('AB123', 120_001))).toBeNull();
    expect(find(readOf('AB123'), seen('XY999', 10_000), seen('AB123', 20_000))).toBeNull();
  });

  it('joins what shares a key, whatever the plate, while the vehicle may be there', () => {
    const old = seen('AB123', 14_000, ['group-1']);
    expect(find(readOf('XY999', { relatedKeys: ['group-1'] }), seen('XY999', 1000), old)).toBe(old);
    expect(find(readOf('XY999', { eventKey: 'group-1' }), old)).toBe(old);
    expect(find(readOf('XY999', { eventKey: 'group-1' }), seen('AB123', 16_000, ['group-1']))).toBeNull();
  });

  it('joins what shares a key later too, where the document says that it is old', () => {
    const old = seen('AB123', 3_600_000, ['group-1']);
    expect(find(readOf('AB128', { eventKey: 'group-1', late: true }), old)).toBe(old);
    // A camera that gives every vehicle the same key.
    expect(find(readOf('AB123', { eventKey: 'group-1' }), old)).toBeNull();
  });

  it('takes the passage whose plate fits best', () => {
    const equal = seen('AB123', 5000);
    expect(find(readOf('AB123'), seen('A8123', 1000), equal)).toBe(equal);
    expect(find(readOf('AB123'), seen(null, 1000), equal)).toBe(equal);
    const confusable = seen('A8123', 5000);
    expect(find(readOf('AB123'), seen('AB124', 1000), confusable)).toBe(confusable);
  });

  it('looks no further back than the few vehicles that can be in view, but for a shared key', () => {
    const others = ['KK111', 'LL222', 'MM333', 'NN444'].map((plate, nth) => seen(plate, 1000 + nth));
    const fifth = seen('AB123', 5000, ['group-1']);
    expect(find(readOf('AB123'), ...others, fifth)).toBe(fifth);
    const sixth = [...others, seen('PP555', 4000), fifth];
    expect(find(readOf('AB123'), ...sixth)).toBeNull();
    expect(find(readOf('AB123', { relatedKeys: ['group-1'] }), ...sixth)).toBe(fifth);
  });

  it('joins what was seen a moment from now, after a step of our own clock', () => {
    expect(find(readOf('AB123'), seen('AB123', -5000))?.plate).toBe('AB123');
  });

  it('never joins two readable plates that are different without a shared key', () => {
    const plate = fc.string({ unit: fc.constantFrom(...'AB8123'), minLength: 3, maxLength: 6 });
    const passage = fc.record({ plate: fc.option(plate), ms: fc.integer({ min: 0, max: 200_000 }) });
    fc.assert(
      fc.property(plate, fc.array(passage, { maxLength: 4 }), (read, passages) => {
        const recent = passages.sort((a, b) => a.ms - b.ms).map(({ plate, ms }) => seen(plate, ms));
        const found = find(readOf(read), ...recent);
        if (found?.plate) expect(comparePlates(found.plate, read)).not.toBe('different');
        const equal = recent.some((passage) => passage.plate === read && passage.lastSeenAt >= ago(8000));
        if (equal) expect(found?.plate).toBe(read);
      }),
    );
  });
});

describe('plateForOtherLanes', () => {
  it('is the plate of a passage that a read joins by its looks', () => {
    expect(plateForOtherLanes(seen('AB123', 1000, ['group-1']), readOf('A8123'))).toBe('AB123');
  });

  it('is none where both are one sighting, or nothing was read', () => {
    const passage = seen('AB123', 1000, ['group-1']);
    expect(plateForOtherLanes(passage, readOf('A8123', { relatedKeys: ['x', 'group-1'] }))).toBeNull();
    expect(plateForOtherLanes(passage, readOf('A8123', { eventKey: 'group-1' }))).toBeNull();
    expect(plateForOtherLanes(seen(null, 1000), readOf('AB123'))).toBeNull();
  });
});

describe('documents with one key', () => {
  const known = { plate: 'TZA47', score: 0.9, receivedAt: NOW };
  const later = (ms: number) => utcTime(millis(NOW) + ms);

  it('are the same where they say the same, soon or as old news', () => {
    expect(isSentAgain(known, readOf('TZA47', { score: 0.9 }), later(1000))).toBe(true);
    expect(isSentAgain(known, readOf('TZA47', { score: 0.9, late: true }), later(HOUR_MS))).toBe(true);
    expect(isSentAgain(known, readOf('TZA47', { score: 0.9, capturedAt: NOW }), later(HOUR_MS))).toBe(true);
  });

  it('are others where they say more, or come from a camera whose keys are all the same', () => {
    expect(isSentAgain(known, readOf('TZA4', { score: 0.9 }), later(1000))).toBe(false);
    expect(isSentAgain(known, readOf('TZA47', { score: 0.98 }), later(1000))).toBe(false);
    expect(isSentAgain(known, readOf('TZA47', { score: 0.9, capturedAt: null }), later(HOUR_MS))).toBe(false);
    const captured = { score: 0.9, capturedAt: later(HOUR_MS) };
    expect(isSentAgain(known, readOf('TZA47', captured), later(HOUR_MS))).toBe(false);
  });

  it('are stored apart, and remain about one vehicle', () => {
    const read = readOf('TZA47', { eventKey: 'uuid', capturedAt: null });
    const [first, second, third] = keysToStore(read, NOW);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(underKey(read, String(first))).toBe(read);
    expect(underKey(read, String(second))).toMatchObject({ eventKey: second, relatedKeys: ['uuid'] });
  });
});
