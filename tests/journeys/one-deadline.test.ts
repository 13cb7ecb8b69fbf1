import { createTestPayments, type TestPayments } from '@hlid/edge/test/payments';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';
import { seededRandom } from '../sim/seeded-random.ts';

const PLATES = ['ABX12', 'NKR77', 'TZA47', 'UMB03', 'VOX55', 'YIL88'];
const StaysSchema = z.object({ stays: z.array(z.looseObject({ key: z.string() })) });
const TimesSchema = z.looseObject({ leaveBy: z.string().nullable(), stayPaidUntil: z.string().nullable() });

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

/** The car as the kiosk shows it, and as the payment page shows it. */
async function shown(plate: string) {
  const { stays } = kiosk.site.core;
  const visit = stays.visits.openByPlate(plate) ?? expect.unreachable(`${plate} is not inside`);
  const atKiosk = kiosk.site.core.paymentRecords.dues.leavingTimes(
    visit,
    utcTime(Date.parse(kiosk.site.now())),
  );
  const find = { body: { siteCode: pair.api.site.id, plate }, token: null };
  const found = StaysSchema.parse((await pair.api.call('POST', PAY_PATHS.find, find)).body);
  const due = { body: { stay: found.stays[0]?.key }, token: null };
  const { leaveBy, stayPaidUntil } = TimesSchema.parse(
    (await pair.api.call('POST', PAY_PATHS.due, due)).body,
  );
  return { atKiosk, onPage: { leaveBy, stayPaidUntil } };
}

async function buysDays(plate: string, quantity: number): Promise<void> {
  const visit = kiosk.site.core.stays.visits.openByPlate(plate)?.id ?? '';
  const answer = await kiosk.order(visit, { quantity });
  // Fewer days than it owes are not sold.
  if (!answer.ok) return;
  await expect.poll(() => kiosk.terminal.isPaying()).toBe(true);
  await kiosk.approve(answer.payment.id, quantity * 500);
}

async function settledInOffice(plate: string): Promise<void> {
  const visit = kiosk.site.core.stays.visits.openByPlate(plate)?.id ?? '';
  expect((await pair.api.call('PUT', `/visit/${visit}`, { body: { paymentStatus: 'kiosk' } })).status).toBe(
    303,
  );
}

it('two days that are bought are the deadline at kiosk, page and gate, also when it is asked for later', async () => {
  await kiosk.site.read('in-1', 'ABX12');
  const end = utcTime(Date.parse(kiosk.site.now()) + 2 * DAY_MS);
  pair.wait(2 * HOUR_MS);
  await buysDays('ABX12', 2);
  await pair.meet();
  const times = { leaveBy: end, stayPaidUntil: end };
  for (const later of [0, 5 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS]) {
    pair.wait(later);
    expect(await shown('ABX12')).toEqual({ atKiosk: times, onPage: times });
  }
  pair.wait(millis(end) - Date.parse(kiosk.site.now()));
  await kiosk.site.read('out-1', 'ABX12');
  expect(kiosk.site.reasons().at(-1)).toBe('paid');
});

it('kiosk and page agree on every car at every moment, and the gate keeps to it', async () => {
  const seed = Number(process.env['HLID_SEED'] ?? Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const below = (most: number) => random.between(0, most - 1);
  const inside: string[] = [];
  for (const plate of PLATES) {
    await kiosk.site.read('in-1', plate);
    inside.push(plate);
    pair.wait(below(5) * HOUR_MS + below(60) * MINUTE_MS);
  }
  await pair.meet();
  for (let step = 0; step < 12; step++) {
    const plate = inside[below(inside.length)] ?? 'ABX12';
    const what = below(3);
    const { leaveBy } = (await shown(plate)).atKiosk;
    if (what === 0) await buysDays(plate, 1 + below(3));
    else if (what === 1 && leaveBy === null) await settledInOffice(plate);
    await pair.meet();
    pair.wait(below(20 * 60) * MINUTE_MS);
    await pair.meet();
    for (const each of inside) {
      const { atKiosk, onPage } = await shown(each);
      expect(onPage, `seed ${seed}, step ${step}, ${each}`).toEqual(atKiosk);
    }
  }
  const leaving = await Promise.all(
    inside.map(async (plate) => ({ plate, ...(await shown(plate)).atKiosk })),
  );
  const ordered = leaving.toSorted((one, other) => (one.leaveBy ?? '').localeCompare(other.leaveBy ?? ''));
  for (const { plate, leaveBy } of ordered) {
    if (leaveBy !== null) pair.wait(millis(leaveBy) - Date.parse(kiosk.site.now()));
    await kiosk.site.read('out-1', plate);
    expect(kiosk.site.reasons().at(-1), `seed ${seed}, ${plate}`).toBe(
      leaveBy === null ? 'need-payment' : 'paid',
    );
  }
});
