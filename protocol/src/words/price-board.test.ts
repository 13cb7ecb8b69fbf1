import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LANGUAGES } from '../base/language.ts';
import { type Product, ProductSchema } from '../tariff/product.ts';
import { priceBoard } from './price-board.ts';

const TERMS = { currency: 'ISK', entryGraceMinutes: 15 };

function product(change: object = {}): Product {
  return ProductSchema.parse({
    id: 'day',
    type: 'default',
    priceMinor: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    category: null,
    name: {},
    productCode: 'day',
    config: {},
    version: 1,
    ...change,
  });
}
const tariffed = (tariff: object, change: object = {}) => product({ config: { tariff }, ...change });
const english = (...products: Product[]) =>
  priceBoard(products, TERMS)?.en.map((line) => line.replaceAll('\u00a0', ' '));

describe('the price before a plate is typed', () => {
  it('is that of a started day, with its free time and hours', () => {
    expect(english(product())).toEqual(['Free up to 15 min', 'ISK 500 per started day']);
    expect(english(product({ config: { startTime: '08:00', endTime: '17:59' } }))).toEqual([
      'Free up to 15 min',
      '08:00–17:59: ISK 500 per started day',
      'Other times: free',
    ]);
    expect(english(product({ type: 'visit' }))).toEqual(['Free up to 15 min', 'ISK 500 per stay']);
    expect(priceBoard([product()], TERMS)?.is.map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
      'Gjaldfrjálst að 15 mín.',
      '500 kr. fyrir hvern byrjaðan sólarhring',
    ]);
  });

  it('is that of a tariff: free time, steps, caps, times, and the fee of the channel', () => {
    const hourly = tariffed({
      free: { minutes: 30, when: 'always' },
      bands: [
        {
          window: { weekdays: [1, 2, 3, 4, 5], startTime: '08:00', endTime: '17:59' },
          steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }],
        },
      ],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1750 }] },
      serviceFees: { kiosk: 95 },
    });
    expect(english(hourly)).toEqual([
      'First 30 min free',
      'Mon–Fri 08:00–17:59: ISK 350 / 1 h',
      'At most ISK 1,750 a day',
    ]);
    const atKiosk = priceBoard([hourly], { ...TERMS, channel: 'kiosk' });
    expect(atKiosk?.en.at(-1)).toMatch(/^Service fee: ISK.95$/);
  });

  it('says when a flat rate without a name counts, in each language', () => {
    const bands = [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }];
    const rated = tariffed({
      bands,
      flatRates: [
        { within: 'weekend', priceMinor: 1000 },
        { entry: { startTime: '18:00' }, untilNext: '06:00', priceMinor: 650 },
        { entry: { startTime: '06:00', endTime: '09:00' }, exit: { startTime: '15:00' }, priceMinor: 1300 },
      ],
    });
    expect(english(rated)?.slice(-3)).toEqual([
      'Sat, Sun: ISK 1,000',
      '18:00–23:59 → 06:00: ISK 650',
      '06:00–09:00 → 15:00–23:59: ISK 1,300',
    ]);
    expect(priceBoard([rated], TERMS)?.pl[2]).toMatch(/^sob\., niedz\.: /);
  });

  it('says where others pay another price, and that there is more than fits', () => {
    expect(english(product(), product({ id: 'bus', priceMinor: 2000, vehicleCategory: 'heavy' }))).toEqual([
      'Free up to 15 min',
      'ISK 500 per started day',
      'Large vehicles: ISK 2,000 per started day',
    ]);
    const classes = tariffed({
      bands: [{ steps: [{ kind: 'flat', priceMinor: 1000 }] }],
      classes: [{ seatsUpTo: 9, bands: [{ steps: [{ kind: 'flat', priceMinor: 2000 }] }] }],
    });
    expect(english(classes)?.at(-1)).toBe('Other prices may apply to some vehicles and times');
  });

  it('is nothing where nothing has a price', () => {
    expect(priceBoard([], TERMS)).toBeNull();
    expect(priceBoard([product({ type: 'quota' })], TERMS)).toBeNull();
  });

  const folder = new URL('../../../tests/fixtures/tariffs/', import.meta.url);
  const published = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  it.each(published)(
    'is at most five lines of words for the published tariff %s, in any language',
    (name) => {
      const file: unknown = parse(readFileSync(new URL(name, folder), 'utf8'), { merge: true });
      const found = findTariffs(file);
      expect(found.length).toBeGreaterThan(5);
      for (const tariff of found) {
        const board = priceBoard([tariffed(tariff)], TERMS);
        for (const language of LANGUAGES) {
          const lines = board?.[language] ?? [];
          expect(lines.length, name).toBeGreaterThan(0);
          expect(lines.length, name).toBeLessThanOrEqual(5);
          for (const line of lines) expect(line).not.toMatch(/undefined|NaN|^: |^$/);
        }
      }
    },
  );
});

/** The tariffs of a fixture, wherever they stand in it. */
function findTariffs(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  const is = ProductSchema.shape.config.safeParse({ tariff: node });
  if (!Array.isArray(node) && is.success && ('bands' in node || 'day' in node)) return [node];
  return Object.values(node).flatMap(findTariffs);
}
