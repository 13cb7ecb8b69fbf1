import { describe, expect, it } from 'vitest';
import { ProductSchema } from './product.ts';
import { productAt } from './product-at.ts';

const FORM = { category: null, name: {}, productCode: 'P', config: {} };
const PRODUCT = ProductSchema.parse({
  ...FORM,
  id: 'p1',
  type: 'default',
  currency: 'ISK',
  vehicleCategory: 'light',
  priceMinor: 500,
  version: 4,
  planned: [
    { ...FORM, from: '2026-03-29', priceMinor: 600, version: 5 },
    { ...FORM, from: '2026-10-25', priceMinor: 700, version: 7 },
  ],
});

const versionAt = (at: string, timeZone: string) => productAt(PRODUCT, at, timeZone).version;

describe('a product with planned versions', () => {
  it.each([
    ['Atlantic/Reykjavik', '2026-03-28T23:59:59.999Z', 4],
    ['Atlantic/Reykjavik', '2026-03-29T00:00:00.000Z', 5],
    // Vienna is an hour ahead in March; its clocks go forward two hours after the day has begun.
    ['Europe/Vienna', '2026-03-28T22:59:59.999Z', 4],
    ['Europe/Vienna', '2026-03-28T23:00:00.000Z', 5],
    // Two hours ahead in summer, until three o’clock of the day itself.
    ['Europe/Vienna', '2026-10-24T21:59:59.999Z', 5],
    ['Europe/Vienna', '2026-10-24T22:00:00.000Z', 7],
    ['Pacific/Auckland', '2026-03-28T10:59:59.999Z', 4],
    ['Pacific/Auckland', '2026-03-28T11:00:00.000Z', 5],
    ['America/Los_Angeles', '2026-03-29T06:59:59.999Z', 4],
    ['America/Los_Angeles', '2026-03-29T07:00:00.000Z', 5],
  ])('changes at midnight on the wall of the site: %s %s is version %i', (timeZone, at, version) => {
    expect(versionAt(at, timeZone)).toBe(version);
  });

  it('changes with the first moment of a day whose midnight the clocks skip', () => {
    // Beirut goes from 00:00 to 01:00 on 29 March 2026.
    expect(versionAt('2026-03-28T21:59:59.999Z', 'Asia/Beirut')).toBe(4);
    expect(versionAt('2026-03-28T22:00:00.000Z', 'Asia/Beirut')).toBe(5);
  });

  it('has the VAT of its site where nobody has decided its own, as of the day', () => {
    const prices = { category: 'E' as const, rate: 0, reason: 'parking-rental' };
    const siteVat = [
      { from: '2026-01-01', prices },
      { from: '2026-10-01', prices: { category: 'S' as const, rate: 24 } },
    ];
    const vatAt = (at: string, product = PRODUCT) => {
      const { vatRate, vatCategory = null, vatReason = null } = productAt(product, at, 'UTC', siteVat);
      return [vatRate, vatCategory, vatReason];
    };
    expect(vatAt('2025-12-31T12:00:00.000Z')).toEqual([0, null, null]);
    expect(vatAt('2026-09-30T23:59:59.999Z')).toEqual([0, 'E', 'parking-rental']);
    expect(vatAt('2026-10-01T00:00:00.000Z')).toEqual([24, 'S', null]);
    expect(vatAt('2026-09-30T12:00:00.000Z', { ...PRODUCT, planned: [], vatRate: 11 })).toEqual([
      11,
      null,
      null,
    ]);
  });

  it('takes no reason from the version before', () => {
    const exempt = { ...PRODUCT, vatCategory: 'E' as const, vatReason: 'parking-rental' };
    const planned = [
      { ...FORM, config: PRODUCT.config, from: '2026-03-29', priceMinor: 600, version: 5, vatRate: 24 },
    ];
    const { vatRate, vatCategory, vatReason } = productAt(
      { ...exempt, planned },
      '2026-05-01T00:00:00.000Z',
      'UTC',
    );
    expect([vatRate, vatCategory, vatReason]).toEqual([24, null, null]);
  });

  it('has all that the version sets, keeps what holds for all, and does not name its plans', () => {
    const product = productAt(PRODUCT, '2027-01-01T00:00:00.000Z', 'UTC');
    expect(product).toMatchObject({ id: 'p1', type: 'default', priceMinor: 700, version: 7 });
    expect(product).not.toHaveProperty('planned');
    expect(product).not.toHaveProperty('from');
  });

  it('without plans is itself', () => {
    const { planned: _, ...plain } = PRODUCT;
    expect(productAt(plain, '2027-01-01T00:00:00.000Z', 'UTC')).toEqual(plain);
  });
});
