import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { SiteSettingsSchema } from '../records/lane.ts';
import type { Permit } from '../records/whitelist.ts';
import { type Product, ProductSchema } from '../tariff/product.ts';
import {
  coveredTime,
  type EarlierStay,
  earlierStaysSince,
  needsEarlierStays,
  needsVehicle,
  type PricedVisit,
  priceStay,
  type StayFacts,
  settingsUnder,
} from './stay-price.ts';

const START = '2026-11-20T10:00:00.000Z';
const after = (ms: number) => utcTime(millis(START) + ms);

const product = (fields: object = {}): Product =>
  ProductSchema.parse({
    id: 'day',
    type: 'default',
    priceMinor: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    category: null,
    name: {},
    productCode: 'D',
    config: {},
    version: 1,
    ...fields,
  });
const withTariff = (tariff: object) =>
  product({
    config: {
      tariff: { bands: [{ steps: [{ kind: 'each', priceMinor: 100, everyMinutes: 60 }] }], ...tariff },
    },
  });

const HEAVY = { category: 'heavy', bands: [{ steps: [{ kind: 'flat', priceMinor: 900 }] }] };

const VISIT: PricedVisit = {
  id: 'visit-1',
  plate: 'ABX12',
  startedAt: START,
  unitsMet: 0,
  paidMinor: 0,
  quota: null,
};
const facts = (fields: Partial<StayFacts> = {}): StayFacts => ({
  timeZone: 'UTC',
  products: { atEntry: product(), now: product() },
  permits: [],
  ...fields,
});
const permit = (fields: Partial<Permit> = {}): Permit => ({
  id: 'permit-1',
  plate: 'ABX12',
  effect: 'allow',
  type: 'permanent',
  visitId: null,
  activeFrom: null,
  expireAt: null,
  status: 'active',
  rules: [],
  ...fields,
});
const amountOf = (more: Partial<StayFacts>, visit: Partial<PricedVisit> = {}, until = after(49 * HOUR_MS)) =>
  priceStay({ ...VISIT, ...visit }, until, facts(more))?.price.amountMinor;

describe('the price of a stay', () => {
  it('is by the product of its entry, or by the one of now where that is cheaper', () => {
    const atEntry = product();
    const priced = (now: Product | null) =>
      priceStay(VISIT, after(HOUR_MS), facts({ products: { atEntry, now } }));
    const by = (now: Product | null) => {
      const { product: of, price } = priced(now) ?? expect.unreachable();
      expect(price.product).toMatchObject({ id: of.id, version: of.version });
      return [of.id, of.version, price.amountMinor];
    };
    expect(by(null)).toEqual(['day', 1, 500]);
    expect(by(product())).toEqual(['day', 1, 500]);
    expect(by(product({ version: 2, priceMinor: 499 }))).toEqual(['day', 2, 499]);
    expect(by(product({ version: 2, priceMinor: 500 }))).toEqual(['day', 1, 500]);
    expect(by(product({ version: 2, priceMinor: 501 }))).toEqual(['day', 1, 500]);
    expect(by(product({ id: 'other', priceMinor: 499 }))).toEqual(['other', 1, 499]);
    expect(by(product({ version: 2, priceMinor: 4, currency: 'EUR' }))).toEqual(['day', 1, 500]);
    expect(priceStay(VISIT, after(HOUR_MS), facts({ products: null }))).toBeNull();
  });

  it('has payments and units of a quota taken off', () => {
    expect(amountOf({})).toBe(1500);
    expect(amountOf({}, { unitsMet: 1 })).toBe(1000);
    expect(amountOf({}, { paidMinor: 200 })).toBe(1300);
    expect(amountOf({}, { quota: { id: 'q1', units: 2 } })).toBe(500);
  });

  it('leaves out what permits of exactly its plate cover', () => {
    const until = { expireAt: after(DAY_MS) };
    expect(amountOf({ permits: [permit()] })).toBe(0);
    expect(amountOf({ permits: [permit(until)] })).toBe(1000);
    expect(amountOf({ permits: [permit(until), permit({ activeFrom: after(DAY_MS) })] })).toBe(0);
    expect(amountOf({ permits: [permit({ plate: 'A8X12' })] })).toBe(1500);
    expect(amountOf({ permits: [permit({ type: 'visit', visitId: 'visit-1' })] })).toBe(0);
    expect(amountOf({ permits: [permit({ type: 'visit', visitId: 'visit-2' })] })).toBe(1500);
    const nobodys = { id: 'visit-1', plate: null, startedAt: START };
    expect(coveredTime(nobodys, after(HOUR_MS), facts({ permits: [permit()] }))).toEqual([]);
  });

  it('is by the class of the vehicle, where the tariff has classes', () => {
    const now = withTariff({ classes: [HEAVY] });
    const products = { atEntry: now, now };
    expect(amountOf({ products }, {}, after(HOUR_MS))).toBe(100);
    expect(amountOf({ products, vehicle: { category: 'heavy' } }, {}, after(HOUR_MS))).toBe(900);
  });

  const earlier = (from: number, to: number | null, paymentStatus: EarlierStay['paymentStatus'] = null) => ({
    startedAt: after(from),
    endedAt: to === null ? null : after(to),
    paymentStatus,
  });
  it.each<[string, EarlierStay | null, number]>([
    ['no stay', null, 0],
    ['one that ended within a day before', earlier(-DAY_MS + 1, -DAY_MS + MINUTE_MS), 100],
    ['one that ended just within a day before', earlier(-DAY_MS - HOUR_MS, -DAY_MS + 1), 0],
    ['one that ended a day before', earlier(-DAY_MS - HOUR_MS, -DAY_MS), 0],
    ['one that is not over', earlier(-HOUR_MS, null), 0],
    ['one that was voided', earlier(-9 * MINUTE_MS, -MINUTE_MS, 'void'), 0],
    ['one that was paid', earlier(-9 * MINUTE_MS, -MINUTE_MS, 'kiosk'), 100],
    ['itself', earlier(0, HOUR_MS), 0],
    ['a later one', earlier(1, HOUR_MS), 0],
  ])('has free time that a plate has once a day, after %s', (_what, before, amount) => {
    const now = withTariff({ free: { minutes: 30, per: 'plate-24h' } });
    const products = { atEntry: now, now };
    const earlierStays = before === null ? [] : [before];
    expect(amountOf({ products, earlierStays }, {}, after(20 * MINUTE_MS))).toBe(amount);
  });
});

describe('what the price of a stay depends on', () => {
  const plain = product();
  const classes = withTariff({ classes: [HEAVY] });
  const perPlate = withTariff({ free: { minutes: 30, per: 'plate-day' } });
  const perVisit = withTariff({ free: { minutes: 30 } });

  it.each([
    ['nothing that prices it', null, false, false],
    ['no tariff', { atEntry: plain, now: plain }, false, false],
    ['no product now', { atEntry: plain, now: null }, false, false],
    ['a tariff with classes', { atEntry: classes, now: null }, true, false],
    ['a tariff with classes now', { atEntry: plain, now: classes }, true, false],
    ['a tariff with free time of a plate', { atEntry: perPlate, now: plain }, false, true],
    ['a tariff with free time of a plate now', { atEntry: classes, now: perPlate }, true, true],
    ['a tariff with free time of a visit', { atEntry: perVisit, now: perVisit }, false, false],
  ])('%s', (_what, products, vehicle, earlierStays) => {
    expect([needsVehicle(products), needsEarlierStays(products)]).toEqual([vehicle, earlierStays]);
  });

  it('includes stays of the day before it', () => {
    expect(earlierStaysSince(START)).toBe('2026-11-19T10:00:00.000Z');
  });
});

it('the times of grace are those of the tariff, where it has its own', () => {
  const settings = SiteSettingsSchema.parse({ entryGraceMinutes: 7, exitGraceMinutes: 8 });
  expect(settingsUnder(settings, null)).toEqual(settings);
  expect(settingsUnder(settings, product())).toEqual(settings);
  expect(settingsUnder(settings, withTariff({}))).toEqual(settings);
  expect(settingsUnder(settings, withTariff({ entryGraceMinutes: 0 }))).toEqual({
    ...settings,
    entryGraceMinutes: 0,
  });
  expect(settingsUnder(settings, withTariff({ exitGraceMinutes: 1 }))).toEqual({
    ...settings,
    exitGraceMinutes: 1,
  });
});
