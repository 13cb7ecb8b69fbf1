import { VisitFinder } from '@hlid/edge/payment/find-visits';
import { createTestPayments, type TestPayments } from '@hlid/edge/test/payments';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

const StaysSchema = z.object({ stays: z.array(z.looseObject({ plate: z.string() })) });

let kiosk: TestPayments;
let pair: PairedSite;
beforeEach(async () => {
  kiosk = createTestPayments();
  pair = await pairSite(kiosk.site);
  await pair.api.made('/products', {
    type: 'default',
    price: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'P',
  });
  await pair.meet();
});
afterEach(async () => {
  await kiosk.close();
  await pair.api.close();
});

/** The plates of the cars that kiosk and payment page find for what a driver has typed. */
async function found(typed: string) {
  const { stays } = kiosk.site.core;
  const at = utcTime(Date.parse(kiosk.site.now()));
  const finder = new VisitFinder(kiosk.site.db, () => false);
  const atKiosk = finder.byPlate(typed, stays.inDoubt(at), stays.waiting(at)) ?? [];
  const body = { siteCode: pair.api.site.id, plate: typed };
  const answer = await pair.api.call('POST', PAY_PATHS.find, { token: null, body });
  const onPage = StaysSchema.parse(answer.body).stays;
  return { kiosk: atKiosk.map(({ plate }) => plate), page: onPage.map(({ plate }) => plate) };
}

const both = (...plates: string[]) => ({ kiosk: plates, page: plates });

it('kiosk and page find the car that waits however it is spelt and with one character wrong, and show the same of it', async () => {
  for (const plate of ['ÞÓR12', 'AEGIR', 'NKP52', 'LUV31']) {
    await kiosk.site.read('in-1', plate);
    pair.wait(HOUR_MS);
  }
  await pair.meet();
  // Spelt otherwise it is found wherever it stands, with a wrong character only where it waits.
  expect(await found('THOR12')).toEqual(both('ÞÓR12'));
  expect(await found('ÆGIR')).toEqual(both('AEGIR'));
  for (const typed of ['THOR13', 'ÆGIX', 'NKX52']) expect(await found(typed), typed).toEqual(both());
  const waits = async (plate: string) => {
    await kiosk.site.read('out-1', plate);
    await pair.meet();
  };
  await waits('ÞÓR12');
  for (const typed of ['THOR13', 'ÞÓR13', 'Þor13']) expect(await found(typed), typed).toEqual(both('ÞÓR1•'));
  expect(await found('THXR12')).toEqual(both('Þ•R12'));
  pair.wait(60_000);
  await waits('AEGIR');
  for (const typed of ['ÆGIX', 'AEGIX']) expect(await found(typed), typed).toEqual(both('AEGI•'));
  pair.wait(60_000);
  await waits('NKP52');
  expect(await found('NKX52')).toEqual(both('NK•52'));
  expect(await found('NXX52')).toEqual(both());
  // The car stands inside, and no exit waits for its driver.
  expect(await found('LUX31')).toEqual(both());
});
