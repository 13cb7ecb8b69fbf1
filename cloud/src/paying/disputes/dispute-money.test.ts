import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { siteTable } from '../../records/sites/site-table.ts';

let api: TestApi;
let visitId: string;
const UPHELD = { outcome: 'upheld', answer: 'You are right.' };

beforeEach(async () => {
  api = await createTestApi();
  const lines = [{ rule: 'step' as const, units: 2, unitMinor: 300, amountMinor: 600, minutes: 60 }];
  const endedAt = '2026-11-21T11:00:00.000Z';
  const product = { id: randomUUID(), version: 1, vatRate: 24 };
  const price = { amountMinor: 600, currency: 'ISK', lines, product, pricedAt: endedAt };
  const stay = { startedAt: '2026-11-21T09:00:00.000Z', endedAt, price };
  visitId = (await api.visit({ ...stay, plate: 'CON01', status: 'need-payment' })).id;
});
afterEach(() => api.close());

type Body = Record<string, unknown>;
const contest = async (about = `/visit/${visitId}`) =>
  String((await api.call('POST', `${about}/dispute`, { body: { text: 'It was not there.' } })).body['id']);
const dispute = async (id: string) => (await api.call('GET', `/dispute/${id}`)).body;
const answer = (id: string, more: Body, options: Body = {}) =>
  api.call('POST', `/dispute/${id}/answer`, { body: { ...UPHELD, ...more }, ...options });
const visitOf = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;
const visit = () => visitOf(visitId);
const givenOf = (body: Body) => (body['answer'] as Body)['given'];

describe('the money of an unpaid stay', () => {
  it('is given up whole or in part, and the rest stays due', async () => {
    const id = await contest();
    expect((await dispute(id))['ways']).toMatchObject([
      { way: 'void', max: 600 },
      { way: 'waive', max: 599, isWholeOnly: false },
    ]);
    expect((await answer(id, { waive: 600 })).status).toBe(400);
    const given = await answer(id, { waive: 250 });
    expect(givenOf(given.body)).toEqual({ way: 'waive', amount: 250, currency: 'ISK' });
    expect(await visit()).toMatchObject({
      status: 'need-payment',
      flags: [],
      due: { amount: 350 },
      price: { lines: [{ amount: 600 }, { rule: 'waived', amount: -250 }] },
    });
    await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'kiosk' } });
    expect(await allInvoices(api)).toMatchObject([{ amountMinor: 350 }]);
    const again = await contest();
    expect((await dispute(again))['ways']).toMatchObject([{ way: 'refund', max: 350, by: 'books' }]);
    expect((await answer(again, { refund: {} })).status).toBe(303);
    const made = (await allInvoices(api)).map(({ amountMinor }) => amountMinor);
    expect(made.toSorted((a, b) => b - a)).toEqual([350, -350]);
  });

  it('is given up in part without a dispute too, and the site gets it', async () => {
    const part = { waive: 100, reason: 'The barrier was slow' };
    const open = await api.visit({ plate: 'CON02' });
    const refused = await api.call('PUT', `/visit/${open.id}`, { body: part });
    expect([refused.status, refused.body['codes']]).toMatchObject([400, [{ code: 'waive-left-only' }]]);
    expect((await api.call('PUT', `/visit/${visitId}`, { body: { waive: 100 } })).status).toBe(400);
    expect((await api.call('PUT', `/visit/${visitId}`, { body: part })).status).toBe(303);
    expect(await visit()).toMatchObject({ due: { amount: 500 } });
  });

  it('waits for a second person above the limit, in parts too', async () => {
    const approvalLimits = { waiver: 300, refund: null, credit: null, close: null };
    await api.db.write(({ q }) => q.update(siteTable).set({ approvalLimits }));
    await api.call('PUT', `/visit/${visitId}`, { body: { waive: 200, reason: 'The first part' } });
    const id = await contest();
    const asked = await answer(id, { waive: 200 });
    expect(asked.status).toBe(202);
    expect(await visit()).toMatchObject({ due: { amount: 400 }, flags: ['disputed'] });
    await api.account('operator', { id: 'the-manager' });
    const second = { token: null, headers: await api.session('the-manager') };
    const path = `/approval/${asked.body['approvalId']}`;
    const approved = await api.call('POST', `${path}/approve`, { body: { amount: 200 }, ...second });
    expect(approved.body).toMatchObject({ kind: 'dispute', state: 'done', disputeId: id });
    expect(await visit()).toMatchObject({ due: { amount: 200 }, flags: [] });
    expect(await dispute(id)).toMatchObject({ state: 'upheld', answer: { given: { amount: 200 } } });
  });
});

it('a stay that goes on shows what it costs by now, and ends when that is given up', async () => {
  const tariff = { bands: [{ steps: [{ kind: 'each', everyMinutes: 60, priceMinor: 300 }] }] };
  const config = { startTime: '00:00', endTime: '23:59', tariff };
  const sold = { type: 'default', price: 0, vehicleCategory: 'light', productCode: 'L', config };
  await api.made('/products', sold);
  const running = await api.visit({ startedAt: '2026-11-21T10:30:00.000Z', plate: 'RUN01', status: 'new' });
  const id = await contest(`/visit/${running.id}`);
  const shown = await visitOf(running.id);
  expect(shown).toMatchObject({ endedOn: null, due: { amount: 600 } });
  expect((await dispute(id))['ways']).toMatchObject([
    { way: 'void', max: 600, currency: 'ISK', isRunning: true, isWholeOnly: true },
  ]);
  expect(givenOf((await answer(id, { void: true })).body)).toMatchObject({ way: 'void', amount: 600 });
  api.wait(2 * HOUR_MS);
  const voided = { status: 'completed', endedOn: '2026-11-21T12:00:00.000Z', due: { amount: 0 } };
  expect(await visitOf(running.id)).toMatchObject(voided);
});

describe('the money of an invoice', () => {
  const issued = async () => {
    const customerId = await addCustomer(api, { billingMethod: 'daily' });
    await settle(api, { customerId, paymentStatus: 'company-invoice' });
    api.wait(2 * DAY_MS);
    await api.call('POST', '/billing/runs', { body: {} });
    const [invoice] = await allInvoices(api);
    return { id: String(invoice?.id), amountMinor: invoice?.amountMinor ?? 0 };
  };

  it('is credited in part and then whole, never beyond it', async () => {
    const invoice = await issued();
    const id = await contest(`/invoice/${invoice.id}`);
    expect((await dispute(id))['ways']).toMatchObject([
      { way: 'credit', max: invoice.amountMinor, by: 'books', isWholeOnly: false },
    ]);
    const tooMuch = await answer(id, { credit: { amount: invoice.amountMinor + 1 } });
    expect(tooMuch.body['codes']).toMatchObject([{ code: 'credit-too-much' }]);
    expect((await answer(id, { void: true })).status).toBe(400);
    expect((await answer(id, { credit: { amount: 100 }, waive: 1 })).status).toBe(400);
    expect((await answer(id, { outcome: 'rejected', credit: { amount: 100 } })).status).toBe(400);
    expect(givenOf((await answer(id, { credit: { amount: 100 } })).body)).toMatchObject({ amount: 100 });
    const rest = await contest(`/invoice/${invoice.id}`);
    expect((await dispute(rest))['ways']).toMatchObject([{ max: invoice.amountMinor - 100 }]);
    await answer(rest, { credit: {} });
    const notes = (await allInvoices(api)).filter(({ creditOf }) => creditOf === invoice.id);
    const credited = notes.map(({ amountMinor }) => amountMinor);
    expect(credited.toSorted((a, b) => b - a)).toEqual([-100, 100 - invoice.amountMinor]);
    const vat = (await allInvoices(api)).flatMap((row) => row.vat.map((part) => part.vatMinor));
    expect(vat.reduce((sum, part) => sum + part, 0)).toBe(0);
  });

  it('of another is never given, and never by an operator without the permission for money', async () => {
    const invoice = await issued();
    const id = await contest();
    const other = await answer(id, { credit: { invoiceId: invoice.id } });
    expect(other.body['codes']).toMatchObject([{ code: 'dispute-not-of-it' }]);
    const own = await contest(`/invoice/${invoice.id}`);
    const clerk = await api.account('operator', { permissions: ['visits'] });
    expect((await answer(own, { credit: {} }, { token: clerk })).status).toBe(404);
  });
});
