import { readdirSync, readFileSync } from 'node:fs';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { withDefaults } from './tariff-defaults.ts';

const FOLDER = new URL('../../../../../tests/fixtures/tariffs/', import.meta.url);

it('fills in what the cloud would, for every published tariff', () => {
  const tariffs = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parse(readFileSync(new URL(name, FOLDER), 'utf8'), { merge: true }));
  expect(tariffs.length).toBeGreaterThan(10);
  for (const { name, tariff } of tariffs) {
    expect(withDefaults(tariff), name).toEqual(TariffSchema.parse(tariff));
  }
});

it('fills in each part that has defaults', () => {
  const band = { steps: [{ kind: 'flat', priceMinor: 500 }] };
  for (const typed of [
    { free: { minutes: 15 }, bands: [{ ...band, window: { weekdays: [1] } }, band] },
    { day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 900 }] }, bands: [band] },
    { flatRates: [{ priceMinor: 700, untilNext: '09:00' }], bands: [band] },
    { classes: [{ category: 'heavy', bands: [band] }], bands: [band] },
  ]) {
    expect(withDefaults(typed)).toEqual(TariffSchema.parse(typed));
  }
});

it('refuses what is no tariff', () => {
  expect(() => withDefaults({ bands: 'all day' })).toThrow(TypeError);
  expect(() => withDefaults({ free: 15 })).toThrow(TypeError);
});
