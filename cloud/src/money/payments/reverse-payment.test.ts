import type { Payment } from '@hlid/protocol/records/payment';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
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
