import type { Payment } from '@hlid/protocol/payment';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../test/api.ts';
import { reportPayment, samplePayment } from '../../test/payments.ts';
import { allInvoices } from '../../test/settlements.ts';
import { visitTable } from '../visits/record/visit-table.ts';
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
