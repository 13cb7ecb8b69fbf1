import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { millis, UtcTimeSchema, utcTime } from './utc-time.ts';

describe('a moment in UTC', () => {
  it.each([
    ['2026-11-21T08:30:00.000Z', true],
    ['2026-11-21T08:30:00Z', false],
    ['2026-11-21T08:30:00.000000Z', false],
    ['2026-11-21T08:30:00.000+00:00', false],
    ['2026-11-21T08:30:00.000', false],
    ['2026-02-29T08:30:00.000Z', false],
    ['2026-11-21T24:00:00.000Z', false],
  ])('has one form: %s %s', (text, taken) => {
    expect(UtcTimeSchema.safeParse(text).success).toBe(taken);
  });

  it('sorts as text, and comes back from its milliseconds', () => {
    const ms = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        expect(utcTime(a) < utcTime(b)).toBe(a < b);
        expect(millis(utcTime(a))).toBe(a);
        expect(UtcTimeSchema.safeParse(utcTime(new Date(a))).success).toBe(true);
      }),
    );
  });

  it('is refused where there is none', () => {
    expect(() => utcTime(Number.NaN)).toThrow(RangeError);
  });
});
