import { writePresence } from '@hlid/cloud/records/sites/site-store';
import { createOnlineRig, type OnlineRig } from '@hlid/cloud/test/online-payments';
import { scriptedCard } from '@hlid/cloud/test/scripted-card';
import { acceptCode } from '@hlid/edge/payment/accept-code';
import { SearchLimit } from '@hlid/edge/payment/find-visits';
import { createTestPayments, type TestPayments } from '@hlid/edge/test/payments';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

const BROWSER = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
const CARD = { number: scriptedCard('approve'), ccv: '123', expire: '12/35' };
const StaysSchema = z.object({ stays: z.array(z.looseObject({ key: z.string() })) });
const CodesSchema = z.looseObject({ codes: z.array(z.string()) });

let rig: OnlineRig;
let kiosk: TestPayments;
let pair: PairedSite;
beforeEach(async () => {
  rig = await createOnlineRig();
  kiosk = createTestPayments();
  pair = await pairSite(kiosk.site, rig.api);
  await present(true);
  await pair.meet();
});
afterEach(async () => {
  await kiosk.close();
  await rig.close();
});

/** Sets the cloud's view of the site: whether it is connected, and how far it has the changes. */
async function present(connected: boolean): Promise<void> {
  await pair.api.db.write(({ q }) =>
    writePresence(q, {
      siteId: pair.api.site.id,
      connected,
      since: pair.api.now(),
      epoch: null,
      seq: 0,
      feedAt: kiosk.site.core.feed.position().n,
      feedHash: null,
      software: null,
      clockAheadMs: 0,
    }),
  );
}

const post = (path: string, body: object) => pair.api.call('POST', path, { token: null, body });
const call = async (path: string, body: object) => (await post(path, body)).body;

async function stayOf(plate: string): Promise<string> {
  const { stays } = StaysSchema.parse(await call(PAY_PATHS.find, { siteCode: pair.api.site.id, plate }));
  return stays[0]?.key ?? expect.unreachable(`${plate} is not found`);
}

/** Parks a car that has been inside for hours and that the cloud has received; then the line is cut. */
async function parked(plate = 'ABX12'): Promise<string> {
  const visitId = await kiosk.inside(plate);
  pair.api.wait(2 * HOUR_MS);
  await pair.meet();
  await present(false);
  return visitId;
}

async function order(stay: string, siteAway: boolean, more: object = {}) {
  const payment = crypto.randomUUID();
  const body = {
    payment,
    stay,
    amountMinor: 500,
    language: 'is',
    browser: BROWSER,
    card: CARD,
    siteAway,
    ...more,
  };
  return { payment, answer: await call(PAY_PATHS.order, body) };
}
const finish = (payment: string, siteAway: boolean) =>
  call(PAY_PATHS.finish, { payment, card: CARD, siteAway });

/** @returns the code that the page shows */
async function paysByPhone(plate = 'ABX12', more: object = {}): Promise<string> {
  const { payment } = await order(await stayOf(plate), true, more);
  const paid = await finish(payment, true);
  expect(paid).toMatchObject({ state: 'settled', siteKnows: false });
  return CodesSchema.parse(paid).codes[0] ?? expect.unreachable('there is no code');
}

const typesCode = (visitId: string, code: string) => {
  const { core } = kiosk.site;
  const { stays, commit } = core;
  const site = () => core.site();
  const { id: siteId, secret } = pair.api.site;
  const limit = new SearchLimit(kiosk.site.db);
  const clock = { now: () => new Date(kiosk.site.now()) };
  return acceptCode({ cloud: { siteId, secret }, site, stays, commit, clock }, { visitId, code }, (at) =>
    limit.allows(at),
  );
};
const visitAtSite = (id: string) => kiosk.site.core.stays.visits.get(id) ?? expect.unreachable();
const dueAtKiosk = (id: string) =>
  kiosk.site.core.paymentRecords.dues.of(id, utcTime(Date.parse(kiosk.site.now())));
const visitInCloud = (id: string) => rig.visitRow(id);

it('codes cannot be tried out: they count as searches of the site', async () => {
  const id = await parked();
  const tries: (string | null)[] = [];
  for (let n = 0; n < 61; n++) tries.push(await typesCode(id, 'AAAAA-AAAAA-AAAAA'));
  expect(tries).toEqual([...Array(60).fill('wrong-code'), 'too-many-requests']);
});

describe('before a driver pays while the car park cannot hear of it', () => {
  it('the page says so, and takes no card from a driver who was not informed', async () => {
    await parked();
    const stay = await stayOf('ABX12');
    expect(await call(PAY_PATHS.due, { stay })).toMatchObject({ standing: 'due', siteAway: true, codes: [] });
    expect((await order(stay, false)).answer).toMatchObject({ code: 'site-offline' });
    expect(rig.book().charges().size).toBe(0);
    await present(true);
    expect(await call(PAY_PATHS.due, { stay })).toMatchObject({ standing: 'due', siteAway: false });
  });

  it('a line that was cut a moment ago shows when the site is asked: nothing is charged before the driver knows', async () => {
    await parked();
    // The site looks connected for as long as the broker waits.
    await present(true);
    const stay = await stayOf('ABX12');
    const { payment } = await order(stay, false);
    expect(await finish(payment, false)).toMatchObject({ state: 'cancelled', reason: 'site-offline' });
    expect(rig.book().charges().size).toBe(0);
    expect(await call(PAY_PATHS.due, { stay })).toMatchObject({ standing: 'due', siteAway: true });
    expect(await paysByPhone()).toMatch(/^\w{5}-\w{5}-\w{5}$/);
    expect(rig.book().charges().size).toBe(1);
  });
});

describe('the code of a payment', () => {
  it('opens the exit without the line, once, and both sides have the same when they meet', async () => {
    const visitId = await parked();
    const code = await paysByPhone();
    await kiosk.site.read('out-1', 'ABX12');
    expect(kiosk.site.reasons().at(-1)).toBe('need-payment');
    expect(await typesCode(visitId, code)).toBeNull();
    expect(kiosk.site.reasons().at(-1)).toBe('paid');
    expect(await typesCode(visitId, code)).toBe('visit-ended');
    await present(true);
    await pair.meet();
    const [here, there] = [visitAtSite(visitId), await visitInCloud(visitId)];
    expect(here).toMatchObject({ unitsMet: 1, paidMinor: 0, status: 'completed', flags: [] });
    expect(there).toMatchObject({ unitsMet: 1, paidMinor: 0, status: 'completed', flags: [] });
    expect(there?.endedAt).toBe(here.endedAt);
    await rig.resolver.run();
    expect([...rig.book().charges().values()].map(({ refunds }) => refunds.size)).toEqual([0]);
  });

  it('is shown again as long as the site has not heard, and to no page after that', async () => {
    const visitId = await parked();
    const code = await paysByPhone();
    const stay = await stayOf('ABX12');
    expect(await call(PAY_PATHS.due, { stay })).toMatchObject({ standing: 'paid', codes: [code] });
    await present(true);
    await pair.meet();
    await present(true);
    expect(await call(PAY_PATHS.due, { stay })).toMatchObject({ standing: 'paid', codes: [] });
    // Typed late, it changes nothing.
    const before = visitAtSite(visitId);
    expect(await typesCode(visitId, code)).toBeNull();
    expect(visitAtSite(visitId)).toEqual(before);
  });

  it('is worth what was paid, once, whoever types it how often, and the rest is due', async () => {
    const visitId = await parked();
    const code = await paysByPhone();
    pair.wait(30 * HOUR_MS);
    expect(await typesCode(visitId, code)).toBeNull();
    expect(await typesCode(visitId, code.toLowerCase().replaceAll('-', ' '))).toBeNull();
    expect(dueAtKiosk(visitId)).toMatchObject({ standing: 'due', demand: { price: { amountMinor: 500 } } });
    expect(visitAtSite(visitId).unitsMet).toBe(1);
    await present(true);
    await pair.meet();
    expect(visitAtSite(visitId).unitsMet).toBe(1);
    expect((await visitInCloud(visitId))?.unitsMet).toBe(1);
  });

  it('gives until when the car may leave as the page does', async () => {
    const visitId = await parked();
    const code = await paysByPhone('ABX12', { amountMinor: 1500, quantity: 3 });
    const page = await call(PAY_PATHS.due, { stay: await stayOf('ABX12') });
    pair.wait(20 * MINUTE_MS);
    expect(await typesCode(visitId, code)).toBeNull();
    const { leaveBy } = kiosk.site.core.paymentRecords.dues.leavingTimes(
      visitAtSite(visitId),
      utcTime(Date.parse(kiosk.site.now())),
    );
    expect(page['leaveBy']).toBe(leaveBy);
  });

  it('is for that car only, cannot be guessed, and not all can be tried', async () => {
    const visitId = await parked();
    const other = await parked('NKR77');
    const code = await paysByPhone();
    expect(await typesCode(other, code)).toBe('wrong-code');
    expect(await typesCode(visitId, `${code.slice(0, -1)}0`)).toBe(code.endsWith('0') ? null : 'wrong-code');
    expect(await typesCode(crypto.randomUUID(), code)).toBe('not-found');
    const answers = new Set<string | null>();
    for (let n = 0; n < 60; n++) answers.add(await typesCode(other, code));
    expect([...answers]).toEqual(['wrong-code', 'too-many-requests']);
  });

  it('leaves a visit for review if its payment was refunded before it is typed', async () => {
    const visitId = await parked();
    const code = await paysByPhone();
    const [payment] = rig.book().charges().keys();
    const refund = { body: { reason: 'The exit stayed closed' } };
    expect((await pair.api.call('POST', `/invoice/${payment}/refund`, refund)).status).toBe(303);
    await rig.resolver.run();
    expect(await typesCode(visitId, code)).toBeNull();
    await kiosk.site.read('out-1', 'ABX12');
    expect(visitAtSite(visitId).endedAt).not.toBeNull();
    await present(true);
    await pair.meet();
    expect(visitAtSite(visitId)).toMatchObject({ unitsMet: 0, flags: ['payment-unknown'] });
  });

  it('is not needed where the site has received the payment', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    await present(true);
    pair.api.bus.play(pair.api.site.id);
    const { payment } = await order(await stayOf('ABX12'), false);
    expect(await finish(payment, false)).toMatchObject({ state: 'settled', siteKnows: false, codes: [] });
    await pair.meet();
    await present(true);
    expect(await call(PAY_PATHS.payment, { payment })).toMatchObject({ siteKnows: true, codes: [] });
    expect(visitAtSite(visitId).unitsMet).toBe(1);
  });
});
