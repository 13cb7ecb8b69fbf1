import type { VisitPrice } from '@hlid/protocol/visit';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chargeTable } from '../billing/charge-table.ts';
import { addCustomer } from '../invoices/test-settlements.ts';
import { createTestApi, type TestApi } from '../test-api.ts';
import { settlementTable } from './settlement-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PRICED: VisitPrice = {
  amountMinor: 1000,
  currency: 'ISK',
  lines: [
    { rule: 'unit', units: 3, amountMinor: 1500 },
    { rule: 'units-met', units: -1, amountMinor: -500 },
  ],
  product: { id: 'light', version: 3 },
  pricedAt: '2026-11-21T11:00:00.000Z',
};
const LIGHT = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };

const edit = (id: string, body: object) => api.call('PUT', `/visit/${id}`, { body });
const changesSince = async (count: number) => (await api.changes()).slice(count);
const feedLength = async () => (await api.changes()).length;
const settlementsOf = (visitId: string) =>
  api.db.read(
    async (q) => await q.select().from(settlementTable).where(eq(settlementTable.visitId, visitId)),
  );

describe('a corrected plate', () => {
  it('is told to the site, and stands in history and audit', async () => {
    const visit = await api.visit({ plate: 'A8X12' });
    const before = await feedLength();
    const answer = await edit(visit.id, { plate: 'abx 12', reason: 'Misread' });
    expect([answer.status, answer.location]).toEqual([303, `/visit/${visit.id}`]);
    const step = { from: 'new', to: 'new', why: 'Misread', by: 'account:the-operator', at: api.now() };
    expect(answer.body).toMatchObject({ plate: 'ABX12', status: 'new', history: [step] });
    expect((await api.call('GET', `/visit/${visit.id}`)).body).toEqual(answer.body);
    expect(await changesSince(before)).toEqual([
      {
        kind: 'visit-edit',
        op: 'put',
        id: expect.any(String),
        item: {
          id: expect.any(String),
          visitId: visit.id,
          plate: 'ABX12',
          reason: 'Misread',
          by: 'account:the-operator',
          at: api.now(),
        },
      },
    ]);
    const audited = (await api.audited()).find(({ action }) => action === 'visit.update');
    expect(audited).toMatchObject({
      subjectId: visit.id,
      before: { plate: 'A8X12' },
      after: { plate: 'ABX12' },
      reason: 'Misread',
    });
    expect((await api.call('GET', '/visits?plate=ABX12')).body['total']).toBe(1);
  });

  it('that was missing makes the visit new and is no longer for review', async () => {
    const unread = { plate: null, status: 'need-plate', flags: ['unreadable-plate'] } as const;
    const visit = await api.visit({ ...unread, flags: [...unread.flags] });
    const answer = await edit(visit.id, { plate: 'ABX12' });
    expect(answer.body).toMatchObject({ plate: 'ABX12', status: 'new', flags: [] });
    expect(answer.body['history']).toMatchObject([{ from: 'need-plate', to: 'new', why: 'plate corrected' }]);
    expect((await api.call('GET', '/visits?status=review')).body['total']).toBe(0);
  });

  it('is not undone by what the site said before it heard of it', async () => {
    const visit = await api.visit({ plate: 'A8X12' });
    await edit(visit.id, { plate: 'ABX12' });
    const n = await feedLength();
    const now = async () => (await api.call('GET', `/visit/${visit.id}`)).body;
    await api.visit({ ...visit, status: 'need-payment' }, { feedAt: n - 1 });
    expect(await now()).toMatchObject({ plate: 'ABX12', status: 'need-payment' });
    await api.visit({ ...visit, plate: 'ABX13' }, { feedAt: n });
    expect(await now()).toMatchObject({ plate: 'ABX13' });
  });

  it('is shown once when the site tells of it too', async () => {
    const visit = await api.visit({ plate: 'A8X12' });
    const { body } = await edit(visit.id, { plate: 'ABX12', reason: 'Misread' });
    const step = {
      from: 'new',
      to: 'new',
      why: 'Misread',
      by: 'account:the-operator',
      at: api.now(),
    } as const;
    await api.visit({ ...visit, plate: 'ABX12' }, { step, feedAt: await feedLength() });
    expect((await api.call('GET', `/visit/${visit.id}`)).body['history']).toEqual(body['history']);
  });
});

describe('a settlement', () => {
  it('meets what the visit was told to pay', async () => {
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const before = await feedLength();
    const answer = await edit(visit.id, { paymentStatus: 'kiosk' });
    expect(answer.body).toMatchObject({
      status: 'new',
      paymentStatus: 'kiosk',
      unitsMet: 3,
      paidUntil: '2026-11-21T12:15:00.000Z',
      endedOn: null,
      price: { amount: 0, currency: 'ISK' },
      history: [{ from: 'need-payment', to: 'new', why: 'settled: kiosk' }],
    });
    const item = {
      id: expect.any(String),
      visitId: visit.id,
      paymentStatus: 'kiosk',
      amountMinor: 1000,
      currency: 'ISK',
      units: 2,
      settledAt: api.now(),
      by: 'account:the-operator',
    };
    expect(await changesSince(before)).toEqual([
      { kind: 'settlement', op: 'put', id: expect.any(String), item },
    ]);
    expect(await settlementsOf(visit.id)).toEqual([{ ...item, siteId: api.site.id }]);
    expect((await api.call('GET', '/visits?collection=unpaid')).body['total']).toBe(0);
  });

  it('of what was not priced yet is priced now, but for the time that is covered', async () => {
    await api.made('/products', LIGHT);
    const visit = await api.visit({ startedAt: '2026-11-19T08:00:00.000Z' });
    const free = { reason: 'First day free', expireOn: '2026-11-20T08:00:00Z' };
    await api.made(`/visit/${visit.id}/whitelist`, free);
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body).toMatchObject({ paymentStatus: 'owner-invoice', status: 'new', unitsMet: 2 });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 1000, units: 2, currency: 'ISK' }]);
  });

  it('by invoice to a company is for a customer that is billed', async () => {
    await api.made('/products', LIGHT);
    const visit = await api.visit();
    const company = { paymentStatus: 'company-invoice' };
    expect((await edit(visit.id, company)).body['messages']).toEqual([
      expect.stringContaining('this is nobody’s'),
    ]);
    await api.giveVisit(visit.id, await addCustomer(api, { billingMethod: 'whitelist' }));
    expect((await edit(visit.id, company)).body['messages']).toEqual([
      expect.stringContaining('this one’s has none'),
    ]);
    await api.giveVisit(visit.id, await addCustomer(api, { billingMethod: 'monthly' }));
    expect((await edit(visit.id, company)).body).toMatchObject({ paymentStatus: 'company-invoice' });
    const charges = await api.db.read(async (q) => await q.select().from(chargeTable));
    expect(charges).toMatchObject([{ visitId: visit.id, amountMinor: 500, units: 1, invoiceId: null }]);
  });

  it('at the kiosk makes a paid invoice, which the visit shows', async () => {
    await api.made('/products', LIGHT);
    const visit = await api.visit();
    const paid = { status: 'paid', number: 1, amount: 500, currency: 'ISK' };
    expect((await edit(visit.id, { paymentStatus: 'kiosk' })).body).toMatchObject({ invoice: paid });
  });

  it('to the owner needs a plate', async () => {
    const visit = await api.visit({ plate: null, status: 'need-plate' });
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body['messages']).toEqual(['paymentStatus: an invoice to the owner needs a plate']);
  });

  it('of a heavy vehicle is by the product of heavy ones', async () => {
    await api.made('/products', LIGHT);
    await api.made('/products', { ...LIGHT, price: 900, vehicleCategory: 'heavy', productCode: 'H' });
    await api.call('POST', '/vehicle/TRUCK/override', { body: { values: { category: 'heavy' } } });
    const visit = await api.visit({ plate: 'TRUCK' });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 900 }]);
  });

  it('of a site without a price is of nothing', async () => {
    const visit = await api.visit();
    const answer = await edit(visit.id, { paymentStatus: 'whitelisted' });
    expect(answer.body).toMatchObject({ paymentStatus: 'whitelisted', price: null });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 0, units: 0, currency: 'ISK' }]);
  });

  it('of a car that has left completes its visit', async () => {
    const endedAt = '2026-11-21T11:00:00.000Z';
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1, endedAt });
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body).toMatchObject({
      status: 'completed',
      endedOn: endedAt,
      paymentStatus: 'owner-invoice',
    });
  });

  it('and closing at once ends the visit; with a plate all is told in order', async () => {
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const before = await feedLength();
    const body = { plate: 'MKJ45', paymentStatus: 'kiosk', status: 'completed', reason: 'Gate was open' };
    const answer = await edit(visit.id, body);
    expect(answer.body).toMatchObject({
      plate: 'MKJ45',
      status: 'completed',
      endedOn: api.now(),
      paymentStatus: 'kiosk',
      history: [{ from: 'need-payment', to: 'completed', why: 'Gate was open' }],
    });
    expect(await changesSince(before)).toMatchObject([
      { kind: 'visit-edit', item: { plate: 'MKJ45' } },
      { kind: 'settlement', item: { paymentStatus: 'kiosk', units: 2 } },
      { kind: 'visit-edit', item: { status: 'completed', endedAt: api.now() } },
    ]);
  });

  it('is not undone by what the site said before it heard of it', async () => {
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    await api.visit({ ...visit, flags: ['uncertain-plate'] }, { feedAt: (await feedLength()) - 1 });
    expect((await api.call('GET', `/visit/${visit.id}`)).body).toMatchObject({
      status: 'new',
      paymentStatus: 'kiosk',
      unitsMet: 3,
      price: { amount: 0 },
      flags: ['uncertain-plate'],
    });
  });

  it('twice changes nothing', async () => {
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    const [changes, audited] = [await api.changes(), await api.audited()];
    expect((await edit(visit.id, { paymentStatus: 'kiosk' })).status).toBe(303);
    expect(await api.changes()).toEqual(changes);
    expect(await api.audited()).toEqual(audited);
  });
});

describe('voiding and reopening', () => {
  it('voids what is due and ends the visit; reopened, it is due again', async () => {
    await api.made('/products', LIGHT);
    const visit = await api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const voided = await edit(visit.id, { status: 'completed', reason: 'Ambulance' });
    expect(voided.body).toMatchObject({
      status: 'completed',
      paymentStatus: 'void',
      endedOn: api.now(),
      unitsMet: 1,
      price: { amount: 0 },
    });
    expect(await settlementsOf(visit.id)).toMatchObject([
      { paymentStatus: 'void', amountMinor: 1000, units: 0 },
    ]);
    expect(await api.lastChange()).toMatchObject({ kind: 'settlement', item: { paymentStatus: 'void' } });
    api.wait(60_000);
    const reopened = await edit(visit.id, { status: 'new', reason: 'It was a taxi' });
    expect(reopened.body).toMatchObject({ status: 'new', endedOn: null });
    expect(reopened.body['history']).toMatchObject([
      { from: 'need-payment', to: 'completed', why: 'Ambulance' },
      { from: 'completed', to: 'new', why: 'It was a taxi (1 unit stays paid)' },
    ]);
    expect(await api.lastChange()).toMatchObject({
      kind: 'visit-edit',
      item: { status: 'new', endedAt: null, reason: 'It was a taxi (1 unit stays paid)' },
    });
  });

  it('asking to pay prices what has no price yet', async () => {
    await api.made('/products', LIGHT);
    const visit = await api.visit();
    const answer = await edit(visit.id, { status: 'need-payment' });
    expect(answer.body).toMatchObject({ status: 'need-payment', price: { amount: 500 } });
    expect((await api.call('GET', '/visits?collection=unpaid')).body['total']).toBe(1);
  });

  it.each([
    [{ status: 'completed' }, 'reason: voiding a visit needs a reason'],
    [{ status: 'need-plate' }, 'status: a visit that is need-payment cannot become need-plate'],
    [{ paymentStatus: 'failed' }, 'paymentStatus: only a payment fails, not a person'],
    [{ startedOn: '2026-11-21T09:00:00Z' }, 'startedOn: it cannot be changed'],
    [{ id: 'another' }, 'id: it cannot be changed'],
    [{ price: 0 }, 'Unrecognized key: "price"'],
    [{ plate: '' }, 'plate: a plate has a letter or a digit'],
    [{ status: 'lost' }, 'status: Invalid option'],
  ])('%o is refused and leaves no trace', async (body, message) => {
    const visit = await api.visit({ status: 'need-payment', price: PRICED });
    const was = (await api.call('GET', `/visit/${visit.id}`)).body;
    const [changes, audited] = [await api.changes(), await api.audited()];
    const answer = await edit(visit.id, body);
    expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringContaining(message)]]);
    expect((await api.call('GET', `/visit/${visit.id}`)).body).toEqual(was);
    expect(await api.changes()).toEqual(changes);
    expect(await api.audited()).toEqual(audited);
  });

  it('a visit sent back as it was got, with one field changed, is taken', async () => {
    const visit = await api.visit();
    const { startedAt: startedOn, id, status } = visit;
    const answer = await edit(id, { id, startedOn, status, plate: 'MKJ45', paymentStatus: null });
    expect([answer.status, answer.body['plate']]).toEqual([303, 'MKJ45']);
  });
});
