import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { CommandSender } from '../../platform/broker/command-sender.ts';
import { eq } from '../../platform/db/sql.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { reversalOrderRun } from './reverse-payment.ts';
import { markSettledTwice } from './settled-twice.ts';

let api: TestApi;
let payment: Payment;
beforeEach(async () => {
  api = await createTestApi();
  const visit = await api.visit({ plate: 'ABX12' });
  payment = samplePayment({ visitId: visit.id });
  await reportPayment(api, payment);
});
afterEach(() => api.close());

const reverse = (id = payment.id) =>
  api.call('POST', `/payments/${id}/reverse`, { body: { reason: 'Paid twice' } });
const waiting = async () => (await api.call('GET', '/payments')).body['data'];
/** The journal of the site goes on. */
const later = (fields: Partial<Payment>): Payment => ({
  ...payment,
  ...fields,
  changedAt: '2026-11-21T12:00:01.000Z',
});

it('what was paid twice goes back to the card in one step, in the books and off the list too', async () => {
  await api.db.write(async ({ q }) => {
    await q.update(visitTable).set({ flags: ['settled-twice', 'lost-exit'] });
    await markSettledTwice(q, payment.id, true);
  });
  expect(await waiting()).toMatchObject([{ id: payment.id, problem: 'settled-twice' }]);
  expect((await api.call('GET', `/payments?siteId=${api.site.id}`)).body['data']).toHaveLength(1);
  expect((await api.call('GET', '/payments?siteId=another')).body['data']).toEqual([]);
  const begun = later({ needsPerson: true, reason: 'reversal-ordered' });
  api.bus.play(api.site.id, (command) =>
    command.action === 'reverse-payment' && command.paymentId === payment.id ? { payment: begun } : null,
  );
  const answer = await reverse();
  expect([answer.status, answer.body]).toMatchObject([202, { state: 'settled', reason: 'reversal-ordered' }]);
  expect(api.bus.sent.map(({ payload }) => JSON.parse(payload)).at(-1)).toMatchObject({
    action: 'reverse-payment',
    terminalId: 'kiosk-1',
    by: 'account:the-operator',
  });
  const changedAt = '2026-11-21T12:00:09.000Z';
  await reportPayment(api, {
    ...payment,
    state: 'reversed',
    reason: 'person: account:the-operator',
    changedAt,
  });
  expect(await waiting()).toEqual([]);
  expect(await allInvoices(api)).toMatchObject([
    { creditOf: payment.id, status: 'refunded' },
    { id: payment.id, status: 'refunded' },
  ]);
  const [visit] = await api.db.read((q) =>
    q.select().from(visitTable).where(eq(visitTable.id, payment.visitId)),
  );
  expect(visit?.flags).toEqual(['lost-exit']);
  expect(await api.audited()).toContainEqual(
    expect.objectContaining({ action: 'payment.reverse', subjectId: payment.id, reason: 'Paid twice' }),
  );
  expect((await reverse()).body['messages']).toEqual([
    'Only a settled payment can be reversed: this one is reversed.',
  ]);
});

it('one that could not be reversed stays in the list of those that need a person', async () => {
  await reportPayment(api, later({ needsPerson: true, reason: 'reverse-not-possible' }));
  expect(await waiting()).toMatchObject([
    { state: 'settled', problem: 'terminal', reason: 'reverse-not-possible' },
  ]);
  expect(await allInvoices(api)).toMatchObject([{ status: 'paid' }]);
});

it('nothing is begun at a terminal that is busy, at a site that is away, or of a payment that is not there', async () => {
  expect((await reverse()).status).toBe(503);
  api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'terminal-busy' }));
  const busy = await reverse();
  expect([busy.status, busy.body['messages']]).toEqual([409, ['Not begun: the terminal is in use.']]);
  api.bus.play(api.site.id, () => null);
  expect((await reverse()).status).toBe(504);
  expect((await reverse('01a1fc93-bdd6-7682-9b18-8dd0566e2411')).status).toBe(404);
  expect(await allInvoices(api)).toMatchObject([{ status: 'paid' }]);
});

describe('a reversal without an answer', () => {
  const doubt = () => later({ needsPerson: true, reason: 'reverse-unknown' });
  const undecided = async () => {
    const query = 'date.from=2026-11-01&date.to=2026-11-30';
    return (await api.call('GET', `/reports/income?${query}`)).body['undecided'];
  };

  it('counts as given: neither the terminal nor the books give it a second time, and all pages show it', async () => {
    await reportPayment(api, doubt());
    api.bus.play(api.site.id, () => ({ payment: later({ state: 'reversed' }) }));
    expect((await reverse()).status).toBe(409);
    expect(api.bus.sent).toEqual([]);
    const refund = { body: { reason: 'In cash' } };
    expect((await api.call('POST', `/invoice/${payment.id}/refund`, refund)).status).toBe(422);
    expect(await waiting()).toMatchObject([{ problem: 'terminal', reason: 'reverse-unknown' }]);
    expect((await api.call('GET', `/invoice/${payment.id}`)).body).toMatchObject({
      status: 'paid',
      openRefund: 1000,
    });
    expect(await undecided()).toEqual({
      refunds: [{ currency: 'ISK', amount: 1000, payments: 1 }],
      chargebacks: [],
    });
    const receipt = await api.app.request(`/receipt/${payment.receiptKey}?lang=en`);
    expect(await receipt.text()).toContain('Refund, not confirmed yet');
    const headers = { authorization: `Bearer ${api.operator}` };
    const document = await api.app.request(`/invoice/${payment.id}/document?lang=en`, { headers });
    expect(await document.text()).toContain('May have been refunded, not confirmed yet');
  });

  it.each([
    ['reversed', { state: 'reversed', needsPerson: false, reason: 'reversal-found' }, 'refunded'],
    ['not reversed', { needsPerson: true, reason: 'reverse-not-possible' }, 'paid'],
  ] as const)('is over where the site says that it is %s', async (_what, fields, status) => {
    await reportPayment(api, doubt());
    await reportPayment(api, { ...later(fields), changedAt: '2026-11-21T12:00:09.000Z' });
    expect((await api.call('GET', `/invoice/${payment.id}`)).body).toMatchObject({ status, openRefund: 0 });
    expect(await undecided()).toEqual({ refunds: [], chargebacks: [] });
  });
});

describe('an order that its site does not answer', () => {
  const refund = { body: { reason: 'In cash' } };
  const invoice = async () => (await api.call('GET', `/invoice/${payment.id}`)).body;
  const orders = () =>
    api.bus.sent.filter(({ payload }) => JSON.parse(payload).action === 'reverse-payment').length;
  /** Checks open orders as a restarted cloud does: it has only what the database holds. */
  const askSites = async () => {
    const { db, bus, clock } = api;
    api.wait(60_000);
    const commands = new CommandSender({ bus, clock, log: pino({ enabled: false }), lifeMs: 200 });
    commands.start();
    const run = reversalOrderRun({ db, clock, commands });
    const now = utcTime(clock.now());
    const isDue = await run.isDue?.(now);
    if (isDue) await run.work({ now, signal: new AbortController().signal });
    return isDue;
  };
  const isOpen = async () => {
    expect(await waiting()).toMatchObject([
      { id: payment.id, state: 'settled', problem: 'terminal', reason: 'reversal-ordered' },
    ]);
    expect(await invoice()).toMatchObject({ status: 'paid', openRefund: 1000 });
  };
  const isClosed = async () => {
    expect(await waiting()).toEqual([]);
    expect(await invoice()).toMatchObject({ openRefund: 0 });
    expect(await askSites()).toBe(false);
  };
  /** The order may be anywhere. */
  const unanswered = async () => {
    api.bus.play(api.site.id, () => null);
    expect((await reverse()).status).toBe(504);
    await isOpen();
  };

  it('may have gone back everywhere from the moment it left, also after a restart, and no second one leaves', async () => {
    api.bus.play(api.site.id, async (command) => {
      // It is on the disk before the site has it.
      if (command.action === 'reverse-payment') await isOpen();
      return null;
    });
    expect((await reverse()).status).toBe(504);
    await isOpen();
    const again = await reverse();
    expect([again.status, again.body['messages']]).toEqual([
      409,
      [
        'Not begun: the money may have gone back already, and nobody knows; find it out at the terminal first.',
      ],
    ]);
    expect((await api.call('POST', `/invoice/${payment.id}/refund`, refund)).status).toBe(422);
    expect(await askSites()).toBe(true);
    await isOpen();
    const query = 'date.from=2026-11-01&date.to=2026-11-30';
    expect((await api.call('GET', `/reports/income?${query}`)).body['undecided']).toMatchObject({
      refunds: [{ currency: 'ISK', amount: 1000, payments: 1 }],
    });
    const receipt = await api.app.request(`/receipt/${payment.receiptKey}?lang=en`);
    expect(await receipt.text()).toContain('Refund, not confirmed yet');
    expect((await api.call('GET', `/visit/${payment.visitId}/timeline`)).body['entries']).toContainEqual(
      expect.objectContaining({
        kind: 'payment',
        params: expect.objectContaining({ needsPerson: true, reason: 'reversal-ordered' }),
      }),
    );
    expect(orders()).toBe(1);
  });

  it('two who order at once order once', async () => {
    api.bus.play(api.site.id, () => null);
    const statuses = (await Promise.all([reverse(), reverse()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([409, 504]);
    expect(orders()).toBe(1);
  });

  it.each([
    ['carried out', { state: 'reversed', reason: 'person: account:1' }, 'refunded', 0],
    ['not possible', { needsPerson: true, reason: 'reverse-not-possible' }, 'paid', 0],
    ['unknown there too', { needsPerson: true, reason: 'reverse-unknown' }, 'paid', 1000],
  ] as const)(
    'is over where the site reports late, and twice: %s',
    async (_what, fields, status, openRefund) => {
      await unanswered();
      const begun = later({ needsPerson: true, reason: 'reversal-ordered' });
      const ended = { ...later(fields), changedAt: '2026-11-21T12:00:09.000Z' };
      for (const report of [begun, begun, ended, ended, begun]) await reportPayment(api, report);
      expect(await invoice()).toMatchObject({ status, openRefund });
      expect(await askSites()).toBe(false);
      expect(await allInvoices(api)).toHaveLength(status === 'refunded' ? 2 : 1);
    },
  );

  it('stays open through a report from before the site had it', async () => {
    await unanswered();
    await reportPayment(api, later({ receipt: ['KVITTUN', 'once more'] }));
    await isOpen();
    await reportPayment(api, { ...payment });
    await isOpen();
  });

  it('is over where the site, asked, has the payment as it was: the order never arrived, and can be given again', async () => {
    await unanswered();
    api.bus.play(api.site.id, ({ action }) => (action === 'payment-state' ? { payment } : null));
    expect(await askSites()).toBe(true);
    await isClosed();
    api.bus.play(api.site.id, () => ({ payment: later({ needsPerson: true, reason: 'reversal-ordered' }) }));
    expect((await reverse()).status).toBe(202);
  });

  it('is over where the site, asked, has carried it out', async () => {
    await unanswered();
    const reversed = later({ state: 'reversed', reason: 'person: account:the-operator' });
    api.bus.play(api.site.id, ({ action }) => (action === 'payment-state' ? { payment: reversed } : null));
    await askSites();
    await isClosed();
    expect(await invoice()).toMatchObject({ status: 'refunded' });
    expect((await reverse()).status).toBe(400);
  });

  it('is shown as lost where the site does not know the payment any more, and is over once it does again', async () => {
    await unanswered();
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'no-terminal' }));
    await askSites();
    await isOpen();
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'not-found' }));
    await askSites();
    const lostOn = ((await waiting()) as { siteLostOn: unknown }[])[0]?.siteLostOn;
    await askSites();
    expect(await waiting()).toMatchObject([
      { id: payment.id, problem: 'terminal', reason: 'reversal-lost', siteLostOn: lostOn },
    ]);
    expect(lostOn).toEqual(expect.any(String));
    expect(await invoice()).toMatchObject({ openRefund: 1000, openRefundReason: 'reversal-lost' });
    expect((await api.call('GET', `/visit/${payment.visitId}/timeline`)).body['entries']).toContainEqual(
      expect.objectContaining({
        kind: 'payment',
        params: expect.objectContaining({ needsPerson: true, reason: 'reversal-lost' }),
      }),
    );
    expect((await reverse()).status).toBe(409);
    api.bus.play(api.site.id, () => ({ payment }));
    await askSites();
    await isClosed();
    expect((await api.call('GET', `/payments/${payment.id}`)).body).toMatchObject({ siteLostOn: null });
  });

  it('a payment that needs a person is asked about once its site has reported nothing of it for an hour', async () => {
    await reportPayment(api, later({ needsPerson: true, reason: 'reverse-unknown' }));
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'not-found' }));
    expect(await askSites()).toBe(false);
    api.wait(2 * 60 * 60_000);
    expect(await askSites()).toBe(true);
    expect(await waiting()).toMatchObject([{ reason: 'reversal-lost', siteLostOn: expect.any(String) }]);
  });

  it('stays open where the site refuses because of a doubt', async () => {
    const other = samplePayment({ visitId: (await api.visit({ plate: 'KZD82' })).id });
    await reportPayment(api, other);
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'reversal-unknown' }));
    expect((await reverse(other.id)).status).toBe(409);
    expect((await api.call('GET', `/invoice/${other.id}`)).body).toMatchObject({ openRefund: 1000 });
  });

  it('a refusal and a site that is away leave nothing open', async () => {
    expect((await reverse()).status).toBe(503);
    await isClosed();
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'terminal-busy' }));
    expect((await reverse()).status).toBe(409);
    await isClosed();
  });
});

it('a tip stands beside the income, and goes back with the amount', async () => {
  const visit = await api.visit({ plate: 'KZD82' });
  const transaction = {
    reference: '0043',
    authorisation: null,
    card: { type: 'visa' as const, lastFour: '1111' },
    tipMinor: 250,
  };
  const tipped = samplePayment({ visitId: visit.id, transaction });
  await reportPayment(api, tipped);
  const income = async () => {
    const query = 'date.from=2026-11-01&date.to=2026-11-30';
    const { total } = (await api.call('GET', `/reports/income?${query}`)).body as {
      total: { amounts: unknown[] };
    };
    return total.amounts;
  };
  expect(await income()).toEqual([{ currency: 'ISK', amount: 2000, invoices: 2, tips: 250 }]);
  expect((await api.call('GET', `/payments/${tipped.id}`)).body).toMatchObject({
    problem: null,
    price: { amount: 1000 },
    tip: 250,
  });
  expect((await api.call('GET', `/invoice/${tipped.id}`)).body).toMatchObject({
    price: { amount: 1000 },
    tip: 250,
  });
  const charged = { reference: 'CB-1', amount: 1250, reasonCode: '10.4' };
  expect((await api.call('POST', `/payments/${tipped.id}/chargeback`, { body: charged })).status).toBe(200);
  expect(await income()).toEqual([{ currency: 'ISK', amount: 1000, invoices: 1, tips: 0 }]);
  const won = { body: { ...charged, state: 'won' } };
  expect((await api.call('POST', `/payments/${tipped.id}/chargeback`, won)).status).toBe(200);
  expect(await income()).toEqual([{ currency: 'ISK', amount: 2000, invoices: 2, tips: 250 }]);
  await reportPayment(api, { ...tipped, state: 'reversed', changedAt: '2026-11-21T12:00:09.000Z' });
  expect(await income()).toEqual([{ currency: 'ISK', amount: 1000, invoices: 1, tips: 0 }]);
});
