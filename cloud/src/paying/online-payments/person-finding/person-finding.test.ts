import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../../../test/payments.ts';
import { allInvoices } from '../../../../test/settlements.ts';
import { alarmMailJob } from '../../../integration/alarms/mail-alarms.ts';
import { mailTable } from '../../../records/mail/mail-table.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

/** A payment with an outcome that its provider cannot report. */
async function paid(script: Script) {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const stepped = await rig.payments.purchase(DRIVER, rig.order(visit, script));
  if (!stepped.ok) throw new Error(stepped.reason);
  rig.api.wait(MINUTE_MS);
  await rig.resolver.run();
  return { visit, id: stepped.payment.id };
}
const find = (id: string, finding: string, token?: string) =>
  rig.api.call('POST', `/payments/${id}/finding`, {
    body: { finding, reason: 'In its portal' },
    ...(token !== undefined && { token }),
  });
const waiting = async () => (await rig.api.call('GET', '/payments')).body['data'];

it('booked: the visit is settled, its site hears of it, and the invoice is paid', async () => {
  const { visit, id } = await paid('timeout-for-person');
  expect(await waiting()).toMatchObject([{ id, state: 'unknown', problem: 'provider' }]);
  const { status, body } = await find(id, 'booked');
  expect([status, body['state']]).toEqual([200, 'settled']);
  expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 1, flags: [] });
  expect(await rig.api.lastChange()).toMatchObject({ kind: 'settlement', item: { id, units: 1 } });
  expect(await allInvoices(rig.api)).toMatchObject([{ id, status: 'paid', amountMinor: 500 }]);
  expect(await waiting()).toEqual([]);
  expect((await rig.api.audited()).find(({ action }) => action === 'payment.finding')).toMatchObject({
    subjectId: id,
    reason: 'In its portal',
    after: { finding: 'booked', state: 'settled', needsPerson: false },
  });
  expect((await find(id, 'booked')).status).toBe(400);
});

it.each([
  ['not-booked', 'cancelled'],
  ['given-back', 'reversed'],
] as const)('%s: the visit is due as before, and may be paid again', async (finding, state) => {
  const { visit, id } = await paid('timeout-for-person');
  expect((await find(id, finding)).body).toMatchObject({ state });
  expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0, flags: [] });
  expect(await allInvoices(rig.api)).toMatchObject([{ id, status: 'failed' }]);
  const again = await rig.payments.purchase(DRIVER, rig.order(visit));
  expect(again).toMatchObject({ ok: true, payment: { state: 'settled' } });
});

it('a refund that the provider cannot make is given back by hand, or the money stays', async () => {
  const { visit, id } = await paid('no-refund');
  const refund = { body: { reason: 'The gate did not open' } };
  expect((await rig.api.call('POST', `/invoice/${id}/refund`, refund)).status).toBe(409);
  expect((await find(id, 'not-booked')).status).toBe(400);
  expect((await find(id, 'given-back')).body).toMatchObject({ state: 'reversed' });
  expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0 });
  expect(await allInvoices(rig.api)).toMatchObject([
    { creditOf: id, status: 'refunded' },
    { id, status: 'refunded' },
  ]);
});

it('is refused for a payment that needs no person, one of a terminal, and by who is no operator', async () => {
  const { id } = await paid('approve');
  expect((await find(id, 'given-back')).status).toBe(400);
  const terminal = samplePayment({ state: 'unknown', needsPerson: true });
  await reportPayment(rig.api, terminal);
  const atSite = await find(terminal.id, 'booked');
  expect([atSite.status, atSite.body['messages']]).toEqual([
    400,
    [expect.stringMatching(/find the outcome out there/)],
  ]);
  expect((await find('01a1fc93-bdd6-7682-9b18-8dd0566e2411', 'booked')).status).toBe(404);
  const customer = await rig.api.account('customer', { customerId: 'c1' });
  expect((await find(id, 'booked', customer)).status).toBe(403);
});

it('one mail says that a person is needed', async () => {
  await paid('timeout-for-person');
  const job = alarmMailJob({ db: rig.api.db, to: ['guard@example.is'], language: 'en' });
  const send = () => job.work({ now: rig.api.now(), signal: new AbortController().signal });
  await send();
  rig.api.wait(MINUTE_MS);
  await send();
  const mails = await rig.api.db.read(async (q) => await q.select().from(mailTable));
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('online payment of')]);
});
