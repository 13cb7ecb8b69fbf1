import { readdirSync, readFileSync } from 'node:fs';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TARIFF_PART } from './draft-parts.ts';
import { countEmpty } from './tariff-draft.ts';

const FOLDER = new URL('../../../../../../tests/fixtures/tariffs/', import.meta.url);

describe('what the fields of the editor can show', () => {
  it('is all of every published tariff', () => {
    const tariffs = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => parse(readFileSync(new URL(name, FOLDER), 'utf8'), { merge: true }));
    expect(tariffs.length).toBeGreaterThan(10);
    for (const { name, tariff } of tariffs) {
      const whole = TariffSchema.parse(tariff);
      expect(TARIFF_PART.fits(whole), name).toBe(true);
      expect(TARIFF_PART.unknownKeys(whole), name).toEqual([]);
      expect(countEmpty(whole), name).toBe(0);
    }
  });

  it.each([
    ['a number as text', { free: { minutes: '15' } }],
    ['a kind of step that there is not', { bands: [{ steps: [{ kind: 'each-started', priceMinor: 1 }] }] }],
    ['a band without steps', { bands: [{ window: {} }] }],
    ['a list for an object', { day: [] }],
    ['a holiday that is no text', { holidays: [1224] }],
  ])('is not %s', (_name, typed) => {
    expect(TARIFF_PART.fits(typed)).toBe(false);
  });

  it('names the keys that no field shows, and they fit', () => {
    const typed = { freeMinutes: 15, bands: [{ steps: [{ kind: 'each', priceMinor: 1, every: 60 }] }] };
    expect(TARIFF_PART.fits(typed)).toBe(true);
    expect(TARIFF_PART.unknownKeys(typed)).toEqual(['freeMinutes', 'every']);
  });
});
