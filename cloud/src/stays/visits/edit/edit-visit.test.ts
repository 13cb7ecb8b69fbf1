import { describe, expect, it } from 'vitest';
import { addCustomer } from '../../../../test/settlements.ts';
import { LIGHT, PRICED, useVisitEdits } from '../../../../test/visit-edits.ts';
import { chargeTable } from '../../../records/invoices/charge-table.ts';

const edits = useVisitEdits();
const { edit, changesSince, feedLength, settlementsOf } = edits;

describe('a corrected plate', () => {
  it('is sent to the site, and is in history and audit', async () => {
    const visit = await edits.api.visit({ plate: 'A8X12' });
    const before = await feedLength();
    const answer = await edit(visit.id, { plate: 'abx 12', reason: 'Misread' });
    expect([answer.status, answer.location]).toEqual([303, `/visit/${visit.id}`]);
    const step = {
      from: 'new',
      to: 'new',
      reason: 'Misread',
      by: 'account:the-operator',
      at: edits.api.now(),
    };
    expect(answer.body).toMatchObject({ plate: 'ABX12', status: 'new', history: [step] });
    expect((await edits.api.call('GET', `/visit/${visit.id}`)).body).toEqual(answer.body);
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
          at: edits.api.now(),
        },
      },
    ]);
    const audited = (await edits.api.audited()).find(({ action }) => action === 'visit.update');
    expect(audited).toMatchObject({
      subjectId: visit.id,
      before: { plate: 'A8X12' },
      after: { plate: 'ABX12' },
      reason: 'Misread',
    });
    expect((await edits.api.call('GET', '/visits?plate=ABX12')).body['total']).toBe(1);
  });

  it('that was missing makes the visit new and is no longer for review', async () => {
    const unread = { plate: null, status: 'need-plate', flags: ['unreadable-plate'] } as const;
    const visit = await edits.api.visit({ ...unread, flags: [...unread.flags] });
    const answer = await edit(visit.id, { plate: 'ABX12' });
    expect(answer.body).toMatchObject({ plate: 'ABX12', status: 'new', flags: [] });
    expect(answer.body['history']).toMatchObject([
      { from: 'need-plate', to: 'new', reason: 'plate corrected' },
    ]);
    expect((await edits.api.call('GET', '/visits?status=review')).body['total']).toBe(0);
  });

  it('is not undone by what the site said before it heard of it', async () => {
    const visit = await edits.api.visit({ plate: 'A8X12' });
    await edit(visit.id, { plate: 'ABX12' });
    const n = await feedLength();
    const now = async () => (await edits.api.call('GET', `/visit/${visit.id}`)).body;
    await edits.api.visit({ ...visit, status: 'need-payment' }, { feedAt: n - 1 });
    expect(await now()).toMatchObject({ plate: 'ABX12', status: 'need-payment' });
    await edits.api.visit({ ...visit, plate: 'ABX13' }, { feedAt: n });
    expect(await now()).toMatchObject({ plate: 'ABX13' });
  });

  it('is shown once when the site reports it too', async () => {
    const visit = await edits.api.visit({ plate: 'A8X12' });
    const { body } = await edit(visit.id, { plate: 'ABX12', reason: 'Misread' });
    const step = {
      from: 'new',
      to: 'new',
      reason: 'Misread',
      by: 'account:the-operator',
      at: edits.api.now(),
    } as const;
    await edits.api.visit({ ...visit, plate: 'ABX12' }, { step, feedAt: await feedLength() });
    expect((await edits.api.call('GET', `/visit/${visit.id}`)).body['history']).toEqual(body['history']);
  });
});

describe('a settlement', () => {
  it('covers the amount that the visit was asked to pay', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const before = await feedLength();
    const answer = await edit(visit.id, { paymentStatus: 'kiosk' });
    expect(answer.body).toMatchObject({
      status: 'new',
      paymentStatus: 'kiosk',
      unitsMet: 3,
      paidUntil: '2026-11-21T12:15:00.000Z',
      endedOn: null,
      price: { amount: 1500, currency: 'ISK' },
      history: [{ from: 'need-payment', to: 'new', reason: 'settled: paid (other)' }],
    });
    const item = {
      id: expect.any(String),
      visitId: visit.id,
      paymentStatus: 'kiosk',
      amountMinor: 1000,
      currency: 'ISK',
      units: 2,
      settledAt: edits.api.now(),
      by: 'account:the-operator',
    };
    expect(await changesSince(before)).toEqual([
      { kind: 'settlement', op: 'put', id: expect.any(String), item },
    ]);
    expect(await settlementsOf(visit.id)).toEqual([
      { ...item, paidWith: 'other', siteId: edits.api.site.id, feedN: expect.any(Number) },
    ]);
    expect((await edits.api.call('GET', '/visits?collection=unpaid')).body['total']).toBe(0);
  });

  it('of what was not priced yet is priced now, but for the time that is covered', async () => {
    await edits.api.made('/products', LIGHT);
    const visit = await edits.api.visit({ startedAt: '2026-11-19T08:00:00.000Z' });
    const free = { reason: 'First day free', expireOn: '2026-11-20T08:00:00Z' };
    await edits.api.made(`/visit/${visit.id}/whitelist`, free);
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body).toMatchObject({ paymentStatus: 'owner-invoice', status: 'new', unitsMet: 2 });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 1000, units: 2, currency: 'ISK' }]);
  });

  it('by invoice to a company is for a customer that is billed', async () => {
    await edits.api.made('/products', LIGHT);
    const visit = await edits.api.visit();
    const company = { paymentStatus: 'company-invoice' };
    expect((await edit(visit.id, company)).body['messages']).toEqual([
      expect.stringContaining('this is nobody’s'),
    ]);
    await edits.api.giveVisit(visit.id, await addCustomer(edits.api, { billingMethod: 'whitelist' }));
    expect((await edit(visit.id, company)).body['messages']).toEqual([
      expect.stringContaining('this one’s has none'),
    ]);
    await edits.api.giveVisit(visit.id, await addCustomer(edits.api, { billingMethod: 'monthly' }));
    expect((await edit(visit.id, company)).body).toMatchObject({ paymentStatus: 'company-invoice' });
    const charges = await edits.api.db.read(async (q) => await q.select().from(chargeTable));
    expect(charges).toMatchObject([{ visitId: visit.id, amountMinor: 500, units: 1, invoiceId: null }]);
  });

  it('at the kiosk makes a paid invoice, which the visit shows', async () => {
    await edits.api.made('/products', LIGHT);
    const visit = await edits.api.visit();
    const paid = { status: 'paid', number: 1, amount: 500, currency: 'ISK' };
    expect((await edit(visit.id, { paymentStatus: 'kiosk' })).body).toMatchObject({ invoice: paid });
  });

  it('to the owner needs a plate', async () => {
    const visit = await edits.api.visit({ plate: null, status: 'need-plate' });
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body['messages']).toEqual(['paymentStatus: an invoice to the owner needs a plate']);
  });

  it('of a heavy vehicle is by the product of heavy ones', async () => {
    await edits.api.made('/products', LIGHT);
    await edits.api.made('/products', { ...LIGHT, price: 900, vehicleCategory: 'heavy', productCode: 'H' });
    await edits.api.call('POST', '/vehicle/TRUCK/override', { body: { values: { category: 'heavy' } } });
    const visit = await edits.api.visit({ plate: 'TRUCK' });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 900 }]);
  });

  it('of a site without a price is of nothing', async () => {
    const visit = await edits.api.visit();
    const answer = await edit(visit.id, { paymentStatus: 'whitelisted' });
    expect(answer.body).toMatchObject({ paymentStatus: 'whitelisted', price: null });
    expect(await settlementsOf(visit.id)).toMatchObject([{ amountMinor: 0, units: 0, currency: 'ISK' }]);
  });

  it('of a car that has left completes its visit', async () => {
    const endedAt = '2026-11-21T11:00:00.000Z';
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1, endedAt });
    const answer = await edit(visit.id, { paymentStatus: 'owner-invoice' });
    expect(answer.body).toMatchObject({
      status: 'completed',
      endedOn: endedAt,
      paymentStatus: 'owner-invoice',
    });
  });

  it('and closing at once ends the visit; with a plate all changes are sent in order', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const before = await feedLength();
    const body = { plate: 'MKJ45', paymentStatus: 'kiosk', status: 'completed', reason: 'Gate was open' };
    const answer = await edit(visit.id, body);
    expect(answer.body).toMatchObject({
      plate: 'MKJ45',
      status: 'completed',
      endedOn: edits.api.now(),
      paymentStatus: 'kiosk',
      history: [{ from: 'need-payment', to: 'completed', reason: 'Gate was open' }],
    });
    expect(await changesSince(before)).toMatchObject([
      { kind: 'visit-edit', item: { plate: 'MKJ45', endedAt: edits.api.now() } },
      { kind: 'settlement', item: { paymentStatus: 'kiosk', units: 2 } },
    ]);
  });

  it('is not undone by what the site said before it heard of it', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    await edits.api.visit({ ...visit, flags: ['uncertain-plate'] }, { feedAt: (await feedLength()) - 1 });
    expect((await edits.api.call('GET', `/visit/${visit.id}`)).body).toMatchObject({
      status: 'new',
      paymentStatus: 'kiosk',
      unitsMet: 3,
      price: { amount: 1500 },
      due: { amount: 0 },
      flags: ['uncertain-plate'],
    });
  });

  it('twice changes nothing', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    const [changes, audited] = [await edits.api.changes(), await edits.api.audited()];
    expect((await edit(visit.id, { paymentStatus: 'kiosk' })).status).toBe(303);
    expect(await edits.api.changes()).toEqual(changes);
    expect(await edits.api.audited()).toEqual(audited);
  });
});
