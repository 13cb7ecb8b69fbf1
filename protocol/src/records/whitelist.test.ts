import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { foldPlate } from '../plate/plate.ts';
import {
  coveredPeriods,
  matchBlock,
  matchPermit,
  type Permit,
  PermitSchema,
  permitHolds,
} from './whitelist.ts';

const BERLIN = 'Europe/Berlin';
/** A Saturday. */
const NOW = '2026-11-21T08:30:00.000Z';

const permit = (changes: Partial<Permit> = {}): Permit => ({
  id: 'permit-1',
  plate: 'AB123',
  effect: 'allow',
  type: 'permanent',
  visitId: null,
  activeFrom: null,
  expireAt: null,
  status: 'active',
  rules: [],
  ...changes,
});

const WORKDAYS = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '17:59' };
const FRIDAY_NIGHT = { weekdays: [5], from: '22:00', to: '05:59' };

describe('permitHolds', () => {
  const holds = (changes: Partial<Permit>, at = NOW, timeZone = 'UTC') =>
    permitHolds(permit(changes), at, timeZone);

  it('always, without dates and rules', () => {
    expect(holds({})).toBe(true);
  });

  it('not while paused', () => {
    expect(holds({ status: 'paused' })).toBe(false);
  });

  it('holds from the moment that it begins until before the moment that it expires', () => {
    expect(holds({ activeFrom: NOW })).toBe(true);
    expect(holds({ activeFrom: '2026-11-21T08:30:00.001Z' })).toBe(false);
    expect(holds({ expireAt: NOW })).toBe(false);
    expect(holds({ expireAt: '2026-11-21T08:30:00.001Z' })).toBe(true);
  });

  it.each([
    ['2026-11-20T07:59:59.999Z', false],
    ['2026-11-20T08:00:00.000Z', true],
    ['2026-11-20T17:59:59.999Z', true],
    ['2026-11-20T18:00:00.000Z', false],
    ['2026-11-21T12:00:00.000Z', false],
    ['2026-11-22T12:00:00.000Z', false],
    ['2026-11-23T12:00:00.000Z', true],
  ])('on workdays from 8 to 18: at %s %s', (at, expected) => {
    expect(holds({ rules: [WORKDAYS] }, at)).toBe(expected);
  });

  it.each([
    ['2026-11-20T05:00:00.000Z', false],
    ['2026-11-20T21:59:59.999Z', false],
    ['2026-11-20T22:00:00.000Z', true],
    ['2026-11-21T05:59:59.999Z', true],
    ['2026-11-21T06:00:00.000Z', false],
    ['2026-11-21T22:00:00.000Z', false],
    ['2026-11-22T05:00:00.000Z', false],
  ])('in the night that begins on Friday: at %s %s', (at, expected) => {
    expect(holds({ rules: [FRIDAY_NIGHT] }, at)).toBe(expected);
  });

  it('holds in the night from Sunday to Monday', () => {
    const rules = [{ weekdays: [7], from: '22:00', to: '05:59' }];
    expect(holds({ rules }, '2026-11-23T03:00:00.000Z')).toBe(true);
    expect(holds({ rules }, '2026-11-22T03:00:00.000Z')).toBe(false);
  });

  it('holds where any of its rules does', () => {
    const rules = [WORKDAYS, { weekdays: [6], from: '08:30', to: '08:30' }];
    expect(holds({ rules })).toBe(true);
    expect(holds({ rules }, '2026-11-21T08:31:00.000Z')).toBe(false);
  });

  it('holds by the wall clock of the site, summer and winter', () => {
    expect(holds({ rules: [WORKDAYS] }, '2026-11-20T07:00:00.000Z', BERLIN)).toBe(true);
    expect(holds({ rules: [WORKDAYS] }, '2026-07-17T06:00:00.000Z', BERLIN)).toBe(true);
    expect(holds({ rules: [WORKDAYS] }, '2026-07-17T05:59:00.000Z', BERLIN)).toBe(false);
  });
});

describe('coveredPeriods', () => {
  const stay = { visitId: 'visit-1', from: '2026-11-20T10:00:00.000Z', to: '2026-11-23T10:00:00.000Z' };
  const { visitId: _, ...all } = stay;
  const covered = (changes: Partial<Permit>, timeZone = 'UTC') =>
    coveredPeriods(permit(changes), stay, timeZone);

  it('are the whole stay, for a permit without end', () => {
    expect(covered({})).toEqual([all]);
  });

  it('are none, for one that is paused or blocks', () => {
    expect(covered({ status: 'paused' })).toEqual([]);
    expect(covered({ effect: 'block' })).toEqual([]);
  });

  it('are the whole of its own visit, for one of a visit, and nothing of another', () => {
    expect(covered({ type: 'visit', visitId: 'visit-1', expireAt: NOW })).toEqual([all]);
    expect(covered({ type: 'visit', visitId: 'visit-2' })).toEqual([]);
    expect(covered({ type: 'visit', visitId: null })).toEqual([]);
  });

  it('are nothing of a stay that began before a permit for later arrivals', () => {
    const arrivals = { activeFrom: NOW, arrivalsOnly: true };
    expect(covered({ ...arrivals, parkedMinutes: 60 })).toEqual([]);
    expect(covered({ ...arrivals, activeFrom: stay.from })).toEqual([all]);
  });

  it('are the first minutes of a stay that began before, as many as the permit says', () => {
    const parked = { from: stay.from, to: '2026-11-20T11:00:00.000Z' };
    const later = { from: NOW, to: stay.to };
    expect(covered({ activeFrom: NOW, parkedMinutes: 60 })).toEqual([parked, later]);
    expect(covered({ activeFrom: stay.from, parkedMinutes: 60 })).toEqual([all]);
    // The permit is given at that moment.
    expect(covered({ activeFrom: stay.to, parkedMinutes: 60 })).toEqual([parked]);
    expect(covered({ activeFrom: '2026-11-23T10:00:00.001Z', parkedMinutes: 60 })).toEqual([]);
    expect(covered({ activeFrom: NOW, parkedMinutes: 100_000 })).toEqual([all, later]);
  });

  it('are the life of a permit, where it is shorter than the stay', () => {
    expect(covered({ type: 'time', activeFrom: NOW })).toEqual([{ from: NOW, to: stay.to }]);
    expect(covered({ type: 'time', expireAt: NOW })).toEqual([{ from: stay.from, to: NOW }]);
    expect(covered({ expireAt: stay.from })).toEqual([]);
    expect(covered({ activeFrom: stay.to })).toEqual([]);
    expect(covered({ activeFrom: '2026-11-20T00:00:00.000Z', expireAt: '2026-12-20T00:00:00.000Z' })).toEqual(
      [all],
    );
  });

  it('are the openings of its rules', () => {
    expect(covered({ rules: [WORKDAYS], activeFrom: '2026-11-20T12:00:00.000Z' })).toEqual([
      { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T18:00:00.000Z' },
      { from: '2026-11-23T08:00:00.000Z', to: '2026-11-23T10:00:00.000Z' },
    ]);
    expect(covered({ rules: [FRIDAY_NIGHT] })).toEqual([
      { from: '2026-11-20T22:00:00.000Z', to: '2026-11-21T06:00:00.000Z' },
    ]);
    expect(covered({ rules: [FRIDAY_NIGHT] }, BERLIN)).toEqual([
      { from: '2026-11-20T21:00:00.000Z', to: '2026-11-21T05:00:00.000Z' },
    ]);
  });

  it('agree with whether the permit holds, at every moment, when the clocks change too', () => {
    const time = fc.integer({ min: 0, max: 287 }).map((step) => utcTime(step * 300_000).slice(11, 16));
    const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    const rules = fc.array(fc.record({ weekdays, from: time, to: time }), { maxLength: 2 });
    const moment = fc
      .tuple(
        fc.constantFrom('2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z'),
        fc.integer({ min: -40, max: 40 }),
      )
      .map(([near, hours]) => utcTime(millis(near) + hours * HOUR_MS));
    fc.assert(
      fc.property(rules, moment, moment, moment, fc.nat({ max: 86_400_000 }), (rules, a, b, c, offset) => {
        const asked = permit({ rules, activeFrom: a, expireAt: b });
        const from = utcTime(millis(c) - offset);
        const to = utcTime(millis(c) + offset + 1);
        const periods = coveredPeriods(asked, { visitId: 'visit-1', from, to }, BERLIN);
        const isCovered = periods.some((period) => period.from <= c && c < period.to);
        expect(isCovered).toBe(permitHolds(asked, c, BERLIN));
        for (const period of periods) expect(from <= period.from && period.to <= to).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('matchPermit', () => {
  const SITE = { timeZone: 'UTC', confusableScore: 0.9 };
  const match = (plate: string, score: number, listed: Permit[], visitId?: string) =>
    matchPermit({ plate, score }, listed, NOW, visitId === undefined ? SITE : { ...SITE, visitId });

  it('takes an equal plate, whatever the score', () => {
    expect(match('AB123', 0.1, [permit()])).toEqual({ permit: permit(), foundBy: 'equal' });
  });

  it('takes a plate that looks like it from a higher score on', () => {
    expect(match('A8123', 0.9, [permit()])).toEqual({ permit: permit(), foundBy: 'confusable' });
    expect(match('A8123', 0.899, [permit()])).toBeNull();
  });

  it('takes no look-alike where two listed plates share a key', () => {
    const other = permit({ id: 'permit-2', plate: 'ABI23' });
    expect(match('A8123', 1, [permit(), other])).toBeNull();
    expect(match('A8123', 1, [permit(), { ...other, status: 'paused' }])).toBeNull();
    expect(match('A8123', 1, [permit(), { ...other, expireAt: '2020-01-01T00:00:00.000Z' }])).toBeNull();
    expect(match('A8123', 1, [permit(), { ...other, effect: 'block' }])).toBeNull();
    expect(match('ABI23', 0.1, [permit(), other])).toMatchObject({ permit: other, foundBy: 'equal' });
  });

  it.each([
    ['ÞÓR', 'THOR'],
    ['ÆGIR', 'AEGIR'],
    ['ØRN12', 'OERN12'],
    ['ĐAK12', 'DAK12'],
    ['ŁAK12', 'LAK12'],
    ['MÜ123', 'MUE123'],
    ['ÅSE1', 'AASE1'],
  ])('takes %s however it is spelt, unless the list has both', (listed, spelt) => {
    const one = permit({ plate: listed });
    const other = permit({ id: 'permit-2', plate: spelt });
    expect(match(spelt, 0.95, [one])).toEqual({ permit: one, foundBy: 'confusable' });
    expect(match(listed, 0.95, [other])).toEqual({ permit: other, foundBy: 'confusable' });
    expect(match(spelt, 0.5, [one])).toBeNull();
    expect(match(spelt, 0.95, [one, other])).toEqual({ permit: other, foundBy: 'equal' });
    expect(match(foldPlate(spelt), 0.95, [one, other])).toBeNull();
  });

  it('does not take a plate that only shares a key', () => {
    expect(match('MU123', 1, [permit({ plate: 'MUE123' })])).toBeNull();
    expect(match('AAB123', 1, [permit({ plate: 'AB123' })])).toBeNull();
  });

  it('takes a plate with its country, both ways, unless another country was read', () => {
    const read = (plate: string, country: string | null, listed: string) =>
      matchPermit({ plate, score: 0.91, country }, [permit({ plate: listed })], NOW, SITE)?.foundBy;
    expect(read('ISABX12', null, 'ABX12')).toBe('confusable');
    expect(read('ISABX12', 'IS', 'ABX12')).toBe('confusable');
    expect(read('ISABX12', 'DE', 'ABX12')).toBeUndefined();
    expect(read('ABX12', 'IS', 'ISABX12')).toBe('confusable');
    // Many plates begin with one of these letters.
    expect(read('SABC123', null, 'ABC123')).toBeUndefined();
    expect(read('SABC123', 'SE', 'ABC123')).toBe('confusable');
    expect(read('X12', 'IS', 'ABX12')).toBeUndefined();
  });

  it('takes a look-alike that is listed twice', () => {
    const second = permit({ id: 'permit-2', status: 'paused' });
    expect(match('A8123', 0.95, [second, permit()])).toEqual({ permit: permit(), foundBy: 'confusable' });
  });

  it('takes none that does not hold or that blocks', () => {
    expect(match('AB123', 1, [permit({ status: 'paused' })])).toBeNull();
    expect(match('AB123', 1, [permit({ expireAt: NOW })])).toBeNull();
    expect(match('AB123', 1, [permit({ effect: 'block' })])).toBeNull();
    expect(match('A8123', 1, [permit({ effect: 'block' })])).toBeNull();
    expect(match('AB123', 1, [])).toBeNull();
  });

  it('takes the one that holds of several for the plate', () => {
    const expired = permit({ id: 'permit-0', expireAt: '2020-01-01T00:00:00.000Z' });
    expect(match('AB123', 1, [expired, permit()])?.permit.id).toBe('permit-1');
  });

  it('takes a permit of one visit for that visit only, and never at an entrance', () => {
    const ofVisit = permit({ type: 'visit', visitId: 'visit-1' });
    expect(match('AB123', 1, [ofVisit], 'visit-1')?.foundBy).toBe('equal');
    expect(match('AB123', 1, [ofVisit], 'visit-2')).toBeNull();
    expect(match('AB123', 1, [ofVisit])).toBeNull();
    expect(match('AB123', 1, [permit({ type: 'visit', visitId: null })])).toBeNull();
  });
});

describe('matchBlock', () => {
  const block = permit({ effect: 'block' });
  const match = (plate: string, listed: Permit[]) => matchBlock({ plate }, listed, NOW, 'UTC');

  it('knows the plate itself from one that looks like it', () => {
    expect(match('AB123', [block])).toBe('equal');
    expect(match('A8123', [block])).toBe('lookalike');
    expect(match('A8123', [block, permit({ plate: 'A8123' })])).toBe('lookalike');
  });

  it('goes by entries that block, and that hold', () => {
    expect(match('AB123', [permit()])).toBeNull();
    expect(match('AB123', [{ ...block, status: 'paused' }])).toBeNull();
    expect(match('AB123', [{ ...block, rules: [WORKDAYS] }])).toBeNull();
    expect(match('AB123', [])).toBeNull();
  });
});

describe('PermitSchema', () => {
  it('makes a weekly rule all day by default, and requires a day', () => {
    const rules = [{ weekdays: [6, 7] }];
    expect(PermitSchema.parse({ ...permit(), rules }).rules).toEqual([
      { weekdays: [6, 7], from: '00:00', to: '23:59' },
    ]);
    for (const weekdays of [[], [0], [8]]) {
      expect(PermitSchema.safeParse({ ...permit(), rules: [{ weekdays }] }).success).toBe(false);
    }
  });
});
