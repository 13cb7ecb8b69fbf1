import type { Product } from '@hlid/protocol/tariff/product';
import { afterEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
afterEach(() => site.close());

const MINUTE_MS = 60_000;
const EVENING = '2026-11-21T23:30:00.000Z';

/** A site late in the evening, with a price of 500, and another one from the next day on. */
function siteWithPlan(priceMinor: number): void {
  site = createTestSite({ kioskWorks: true, start: EVENING });
  site.price(500, 'light', { version: 1, planned: [planned(priceMinor)] });
}

function planned(priceMinor: number): NonNullable<Product['planned']>[number] {
  return {
    from: '2026-11-22',
    version: 2,
    priceMinor,
    vatRate: 24,
    category: null,
    name: {},
    productCode: 'day',
    config: { startTime: '00:00', endTime: '23:59' },
  };
}

/** The amount that the exit asks for, and the version of the product that made it. */
async function dueAtExit(plate: string): Promise<[amount: number | undefined, version: number | undefined]> {
  await site.read('out-1', plate);
  const price = site.core.stays.visits.openByPlate(plate)?.price;
  return [price?.amountMinor, price?.product.version];
}

const shownPrice = () => site.core.products().map(({ priceMinor }) => priceMinor);

it('a higher price is paid by cars that come in after midnight, without a word from the cloud', async () => {
  siteWithPlan(900);
  await site.read('in-1', 'BEF01');
  expect(shownPrice()).toEqual([500]);
  site.wait(31 * MINUTE_MS);
  expect(shownPrice()).toEqual([900]);
  await site.read('in-1', 'AFT02');
  site.wait(30 * MINUTE_MS);
  expect(await dueAtExit('BEF01')).toEqual([500, 1]);
  expect(await dueAtExit('AFT02')).toEqual([900, 2]);
});

it('a lower price is paid from midnight on by cars that came in before', async () => {
  siteWithPlan(300);
  await site.read('in-1', 'BEF01');
  await site.read('in-2', 'BEF02');
  site.wait(25 * MINUTE_MS);
  expect(await dueAtExit('BEF01')).toEqual([500, 1]);
  site.wait(10 * MINUTE_MS);
  expect(await dueAtExit('BEF02')).toEqual([300, 2]);
});

it('a program that is off at midnight prices in the same way when it starts again', async () => {
  siteWithPlan(900);
  await site.read('in-1', 'BEF01');
  const { folder } = site;
  site.core.stop();
  site.db.close();
  site = createTestSite({ kioskWorks: true, folder, start: '2026-11-22T00:10:00.000Z' });
  expect(shownPrice()).toEqual([900]);
  await site.read('in-1', 'AFT02');
  site.wait(30 * MINUTE_MS);
  expect(await dueAtExit('BEF01')).toEqual([500, 1]);
  expect(await dueAtExit('AFT02')).toEqual([900, 2]);
});

it('a plan that is withdrawn in time never holds', async () => {
  siteWithPlan(900);
  site.price(500, 'light', { version: 1 });
  site.wait(60 * MINUTE_MS);
  await site.read('in-1', 'AFT02');
  site.wait(30 * MINUTE_MS);
  expect(await dueAtExit('AFT02')).toEqual([500, 1]);
});

it('the cloud’s word that a version has begun changes nothing for cars inside', async () => {
  siteWithPlan(900);
  await site.read('in-1', 'BEF01');
  site.wait(31 * MINUTE_MS);
  site.price(900, 'light', { version: 2 });
  site.wait(30 * MINUTE_MS);
  expect(await dueAtExit('BEF01')).toEqual([500, 1]);
});
