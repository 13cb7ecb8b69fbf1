import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import type { Visit, VisitPrice } from '@hlid/protocol/records/visit';
import { SettlementItemSchema } from '@hlid/protocol/site-link/site-change';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { addCustomer, allInvoices } from '../../../../test/settlements.ts';
import { billNow } from '../../../paying/billing/bill-customers.ts';
import { eq } from '../../../platform/db/sql.ts';
import { chargeTable } from '../../../records/invoices/charge-table.ts';
import { vehicleTable } from '../../../records/vehicles/vehicle-table.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';

let api: TestApi;
let customerId: string;
beforeEach(async () => {
  api = await createTestApi();
  const price = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };
  await api.made('/products', price);
  customerId = await addCustomer(api);
});
afterEach(() => api.close());

const COMPANY = { paymentStatus: 'company-invoice' };
const REOPEN = { status: 'new', reason: 'Not their car' };
const VOID = { paymentStatus: 'void', reason: 'Not their car' };
const ENDED = '2026-11-21T11:00:00.000Z';
const INVOICED = {
  status: 'completed',
  endedAt: ENDED,
  price: {
    amountMinor: 1000,
    currency: 'ISK',
    lines: [{ rule: 'unit', units: 2, amountMinor: 1000 }],
    product: { id: 'light', version: 1 },
    pricedAt: ENDED,
  },
} satisfies Partial<Visit>;

const get = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;
async function edit(id: string, body: object) {
  const answer = await api.call('PUT', `/visit/${id}`, { body });
  expect([answer.status, answer.body['messages']]).toEqual([303, undefined]);
  return answer.body;
}
const charges = () => api.db.read(async (q) => await q.select().from(chargeTable));
const settlements = async () =>
  (await api.changes()).flatMap((change) =>
    change.kind === 'settlement' ? [SettlementItemSchema.parse(change.item)] : [],
  );
const operator = () => ({
  caller: { kind: 'cloud' as const, part: 'test' },
  at: api.now(),
  requestId: 'test',
});

async function ownVisit(plate = 'ABX12', of = customerId): Promise<string> {
  const visit = await api.visit({ plate });
  await api.giveVisit(visit.id, of);
  return visit.id;
}

async function bill(): Promise<void> {
  api.wait(48 * HOUR_MS);
  expect((await billNow(api.context, operator(), api.now())).invoices).toBe(1);
}

describe('a charge that waits', () => {
  it('is withdrawn when its visit is opened again, and the units that it met are due again', async () => {
    const id = await ownVisit();
    expect(await edit(id, { ...COMPANY, status: 'completed' })).toMatchObject({ unitsMet: 1 });
    api.wait(1000);
    const reopened = await edit(id, REOPEN);
    expect(reopened).toMatchObject({ unitsMet: 0, paymentStatus: null });
    expect(reopened['history']).toMatchObject([
      {},
      { reason: expect.stringMatching(/^Not their car \(not invoiced: ISK\s500\)$/) },
    ]);
    expect(await charges()).toEqual([]);
    expect(await settlements()).toMatchObject([{ units: 1 }, { units: -1, amountMinor: 0 }]);
    const { due } = (await api.call('GET', `/visit/${id}/price`)).body;
    expect(due).toMatchObject({ amount: 500 });
  });

  it('goes to whom the visit was, once its plate is put right', async () => {
    const other = await addCustomer(api, { billingMethod: 'monthly' }, { name: 'Hinir' });
    const custody = { plate: 'MKJ45', customerId: other, dateFrom: '2026-11-01T00:00:00Z' };
    await api.made('/custodians', custody);
    const id = await ownVisit();
    await edit(id, { ...COMPANY, status: 'completed' });
    await edit(id, REOPEN);
    await edit(id, { ...COMPANY, plate: 'MKJ45', status: 'completed' });
    expect(await charges()).toMatchObject([{ customerId: other, plate: 'MKJ45', amountMinor: 500 }]);
  });

  it('is withdrawn when its visit is voided while it is inside', async () => {
    const id = await ownVisit();
    await edit(id, COMPANY);
    const voided = await edit(id, VOID);
    expect(voided).toMatchObject({ status: 'completed', paymentStatus: 'void', unitsMet: 0, flags: [] });
    expect(await charges()).toEqual([]);
  });

  it('of its site is withdrawn too, and nothing is counted as met', async () => {
    const own = { plate: 'ABX12', customerId, dateFrom: '2026-11-01T00:00:00Z' };
    await api.made('/custodians', own);
    const visit = await api.visit({ ...INVOICED, paymentStatus: 'company-invoice', unitsMet: 1 });
    expect(await charges()).toMatchObject([{ amountMinor: 1000, units: 2 }]);
    expect(await edit(visit.id, REOPEN)).toMatchObject({ unitsMet: 1, paymentStatus: null });
    expect(await charges()).toEqual([]);
    expect(await settlements()).toEqual([]);
  });

  it('of its site from before the end is given back, what it asked for at the end was never counted', async () => {
    const own = { plate: 'ABX12', customerId, dateFrom: '2026-11-01T00:00:00Z' };
    await api.made('/custodians', own);
    const inside = {
      id: randomUUID(),
      paymentStatus: 'company-invoice',
      unitsMet: 1,
      price: { ...INVOICED.price, amountMinor: 500, lines: [{ rule: 'unit', units: 1, amountMinor: 500 }] },
    } satisfies Partial<Visit>;
    await api.visit(inside);
    await api.visit({ ...inside, ...INVOICED });
    expect((await charges()).map(({ amountMinor }) => amountMinor).sort()).toEqual([1000, 500]);
    expect(await edit(inside.id, REOPEN)).toMatchObject({ unitsMet: 0, paymentStatus: null });
    expect(await settlements()).toMatchObject([{ units: -1, amountMinor: 0 }]);
  });

  it('takes off what it has met, in units or in money, and never more than is met', async () => {
    const own = { plate: 'ABX12', customerId, dateFrom: '2026-11-01T00:00:00Z' };
    await api.made('/custodians', own);
    const invoiced = async (fields: Partial<Visit>, lines: VisitPrice['lines'] = INVOICED.price.lines) => {
      const visit = {
        paymentStatus: 'company-invoice',
        price: { ...INVOICED.price, lines },
        ...fields,
      } as const;
      return (await api.visit(visit)).id;
    };
    const flatRate = [{ rule: 'flat-rate', units: 1, amountMinor: 1000 } as const];
    const taken = async (id: string) => {
      await edit(id, VOID);
      const [row] = await api.db.read((q) => q.select().from(visitTable).where(eq(visitTable.id, id)));
      return [row?.unitsMet, row?.paidMinor];
    };
    expect(await taken(await invoiced({ unitsMet: 5, paidMinor: 700 }))).toEqual([3, 700]);
    expect(await taken(await invoiced({ unitsMet: 1 }))).toEqual([0, 0]);
    expect(await taken(await invoiced({ unitsMet: 5, paidMinor: 1700 }, flatRate))).toEqual([5, 700]);
    expect(await taken(await invoiced({ paidMinor: 400 }, flatRate))).toEqual([0, 0]);
    expect(await charges()).toEqual([]);
  });

  it('is not brought back by what the site said before it heard of that', async () => {
    const own = { plate: 'ABX12', customerId, dateFrom: '2026-11-01T00:00:00Z' };
    await api.made('/custodians', own);
    const visit = await api.visit({ ...INVOICED, paymentStatus: 'company-invoice' });
    await edit(visit.id, REOPEN);
    await api.visit(visit);
    expect(await charges()).toEqual([]);
  });
});

it('what was paid counts already when its visit is opened again', async () => {
  const visit = await api.visit({ ...INVOICED, paymentStatus: 'kiosk', unitsMet: 2 });
  expect(await edit(visit.id, REOPEN)).toMatchObject({ unitsMet: 2, paymentStatus: null });
  expect(await settlements()).toEqual([]);
});

describe('an invoice', () => {
  it('that waits for its payer is withdrawn with a line in the audit log', async () => {
    const visit = await api.visit({ ...INVOICED, paymentStatus: 'owner-invoice' });
    expect(await allInvoices(api)).toMatchObject([{ number: null }]);
    const reopened = await edit(visit.id, REOPEN);
    expect(reopened).toMatchObject({ unitsMet: 0, invoice: null });
    expect(await allInvoices(api)).toEqual([]);
    expect((await api.audited()).map(({ action }) => action)).toContain('invoice.withdraw');
  });

  it('that is issued stays, and is not charged once more', async () => {
    const holder = { insuranceCode: null, registrationDate: null, purchaseDate: null };
    await api.db.write(async ({ q }) => {
      await q.insert(vehicleTable).values({
        id: randomUUID(),
        plate: 'ABX12',
        owner: { ssn: '1201603389', name: 'Jón', ...holder },
        createdAt: api.now(),
        modifiedAt: api.now(),
      });
    });
    const visit = await api.visit({ ...INVOICED, paymentStatus: 'owner-invoice', unitsMet: 1 });
    const reopened = await edit(visit.id, { status: 'new', reason: 'Came back' });
    expect(reopened).toMatchObject({ status: 'new', endedOn: null, paymentStatus: null, unitsMet: 3 });
    expect(reopened['history']).toMatchObject([{ reason: 'Came back (3 units stay paid)' }]);
    expect((await api.changes()).slice(-2)).toMatchObject([
      {
        kind: 'settlement',
        item: { paymentStatus: 'owner-invoice', units: 2, amountMinor: 1000, settledAt: ENDED },
      },
      { kind: 'visit-edit', item: { status: 'new', endedAt: null } },
    ]);
    expect(reopened['invoice']).toMatchObject({ number: 1, amount: 1000 });
  });

  it('that has collected a voided visit stands, and the visit is flagged for review', async () => {
    const id = await ownVisit();
    await edit(id, { ...COMPANY, status: 'completed' });
    await bill();
    expect(await edit(id, REOPEN)).toMatchObject({ unitsMet: 1 });
    const voided = await edit(id, VOID);
    expect(voided).toMatchObject({ paymentStatus: 'void', flags: ['invoice-stands'] });
    const reason = 'Not their car (invoice no. 1 stands)';
    expect(voided['history']).toMatchObject([{}, {}, { reason }]);
    expect((await api.call('GET', '/visits?status=review')).body['total']).toBe(1);
    // A later report of the site takes nothing off.
    const reported = {
      id,
      plate: 'ABX12',
      status: 'completed',
      paymentStatus: 'void',
      endedAt: ENDED,
    } as const;
    await api.visit(reported, { feedAt: 1000 });
    expect(await get(id)).toMatchObject({ flags: ['invoice-stands'] });
    const reviewed = await api.call('POST', `/visit/${id}/reviewed`, { body: {} });
    expect(reviewed.body).toMatchObject({ flags: [] });
    await api.visit(reported, { feedAt: 1000 });
    expect(await get(id)).toMatchObject({ flags: [] });
  });

  it('that stands is no reason to look at a voided visit any more, once the visit goes on', async () => {
    const id = await ownVisit();
    await edit(id, { ...COMPANY, status: 'completed' });
    await bill();
    await edit(id, REOPEN);
    expect(await edit(id, VOID)).toMatchObject({ flags: ['invoice-stands'] });
    expect(await edit(id, REOPEN)).toMatchObject({ flags: [] });
  });

  it('that was refunded is none to look at', async () => {
    const id = await ownVisit();
    await edit(id, { ...COMPANY, status: 'completed' });
    await bill();
    const [invoice] = await allInvoices(api);
    const path = `/invoice/${invoice?.id}`;
    await api.call('PUT', path, { body: { status: 'paid' } });
    await api.call('POST', `${path}/refund`, { body: { reason: 'Not theirs' } });
    await edit(id, REOPEN);
    expect(await edit(id, VOID)).toMatchObject({ flags: [] });
  });
});

it('a visit that is said to have ended earlier is charged until then', async () => {
  const id = await ownVisit();
  api.wait(5 * DAY_MS);
  const edited = await edit(id, { ...COMPANY, status: 'completed', endedOn: ENDED });
  expect(edited).toMatchObject({ endedOn: ENDED, unitsMet: 1 });
  expect(await charges()).toMatchObject([{ amountMinor: 500, units: 1 }]);
});

it('also where it was asked to pay for longer', async () => {
  const { price } = INVOICED;
  const visit = await api.visit({ status: 'need-payment', price });
  await edit(visit.id, { paymentStatus: 'kiosk', status: 'completed', endedOn: ENDED });
  expect(await allInvoices(api)).toMatchObject([{ amountMinor: 500 }]);
});
