import { randomUUID } from 'node:crypto';
import { millis } from '@hlid/protocol/base/utc-time';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { useBilling } from '../../../test/billing.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { LIGHT, PRICED } from '../../../test/visit-edits.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { inArray } from '../../platform/db/sql.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { creditRest, creditUpTo } from './credit-note.ts';
import { invoiceById } from './find-invoice.ts';
import { invoiceSettlement } from './invoice-settlement.ts';

const billing = useBilling();

const HARBOUR = { name: 'Höfn ehf.', ssn: '500101-2880', vatNumber: '12345', bankAccount: '0133-26-001234' };
const AIRPORT = { name: 'Flug ehf.', ssn: '600102-1230' };

const change = (path: string, body: object) => billing.api.call('PUT', path, { body });
const sellAs = (seller: object, siteId = billing.api.site.id) =>
  change(`/sites/${siteId}`, { settings: { seller } });

/** Bills at a moment that is still to come. */
async function billAt(at: string): Promise<void> {
  billing.api.wait(millis(at) - millis(billing.api.now()));
  await billing.bill();
}

async function documentOf(id: string): Promise<string> {
  const answer = await billing.api.app.request(`/invoice/${id}/document?lang=en`, {
    headers: { authorization: `Bearer ${billing.api.operator}` },
  });
  return await answer.text();
}

/** Reads an invoice without its actions, which depend on what was done since. */
const readOf = async (id: string) => {
  const { actions: _, ...read } = (await billing.api.call('GET', `/invoice/${id}`)).body;
  return read;
};

/** The numbers of each seller are 1, 2, 3 … */
async function checkNumbers(): Promise<Map<string, number>> {
  const series = new Map<number, number[]>();
  for (const { number, series: of } of await allInvoices(billing.api)) {
    if (number !== null && of !== null) series.set(of, [...(series.get(of) ?? []), number]);
  }
  for (const numbers of series.values()) {
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
  }
  return new Map([...series].map(([of, numbers]) => [String(of), numbers.length]));
}

/** Invoices less credit notes are what was billed, as the reports have it. */
async function checkIncome(): Promise<void> {
  const sum = (rows: readonly { amountMinor: number }[]) =>
    rows.reduce((all, one) => all + one.amountMinor, 0);
  const issued = (await allInvoices(billing.api)).filter(({ number }) => number !== null);
  expect(sum(await billing.income())).toBe(sum(issued));
}

it('an invoice is the same after seller, site, customer, tariff and visit have changed', async () => {
  await sellAs(HARBOUR);
  const product = await billing.api.made('/products', LIGHT);
  const customerId = await addCustomer(billing.api, { billingMethod: 'daily' });
  const visit = await billing.api.visit({ plate: 'ABX12', status: 'need-payment', price: PRICED });
  await billing.api.giveVisit(visit.id, customerId);
  await change(`/visit/${visit.id}`, { paymentStatus: 'kiosk', paidWith: 'cash' });
  const other = await billing.api.visit({ plate: 'KLM34', status: 'need-payment', price: PRICED });
  await billing.api.giveVisit(other.id, customerId);
  await change(`/visit/${other.id}`, { paymentStatus: 'company-invoice', status: 'completed' });
  billing.api.wait(24 * 3_600_000);
  await billing.bill();
  const ids = (await allInvoices(billing.api)).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const before = await Promise.all(ids.flatMap((id) => [documentOf(id), readOf(id)]));
  for (const text of before.filter((one) => typeof one === 'string')) {
    for (const said of ['Höfn ehf.', '500101-2880', '0133-26-001234', 'Harbour', 'Bílaleigan ehf.']) {
      expect(text).toContain(said);
    }
  }

  await sellAs(AIRPORT);
  expect(
    (await change(`/sites/${billing.api.site.id}`, { name: 'Airport', timeZone: 'Asia/Tokyo' })).status,
  ).toBe(303);
  await billing.api.addSite('Elsewhere', 'America/New_York');
  expect((await change(`/customer/${customerId}`, { name: 'Önnur leiga hf.' })).status).toBe(303);
  expect((await change(`/products/${product.id}`, { price: 900, vatRate: 11 })).status).toBe(303);
  await change(`/visit/${other.id}`, { status: 'need-payment', reason: 'another car' });
  await change(`/visit/${other.id}`, {
    plate: 'ZZZ99',
    startedOn: '2026-11-21T07:00:00.000Z',
    reason: 'another car',
  });
  await billing.api.db.write(async ({ q }) => {
    await q.delete(visitTable).where(inArray(visitTable.id, [visit.id]));
  });
  expect(await Promise.all(ids.flatMap((id) => [documentOf(id), readOf(id)]))).toEqual(before);
});

it('a credit note names its invoice, in the series of the seller that the invoice has', async () => {
  await sellAs(HARBOUR);
  await settle(billing.api);
  const [invoice] = await allInvoices(billing.api);
  await sellAs(AIRPORT);
  await settle(billing.api);
  const id = invoice?.id ?? '';
  const document = await documentOf(id);
  await billing.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'The gate stayed shut' } });
  const { creditNotes, lines } = z
    .looseObject({ creditNotes: z.array(z.looseObject({ id: z.string() })), lines: z.unknown() })
    .parse(await readOf(id));
  expect(creditNotes).toMatchObject([{ number: 2, amount: -1240 }]);
  const noteId = creditNotes[0]?.id ?? '';
  expect(await readOf(noteId)).toMatchObject({
    number: 2,
    seller: { name: 'Höfn ehf.' },
    kind: 'credit-note',
    credits: { invoiceId: id, number: 1 },
    price: { amount: -1240 },
  });
  expect(lines).toMatchObject([{ amount: 1240 }]);
  expect(await documentOf(noteId)).toContain('Credit note no. 2');
  expect((await documentOf(id)).replaceAll('Refunded', 'Paid').length).toBeGreaterThan(document.length);
  expect([...(await checkNumbers()).values()].toSorted()).toEqual([1, 2]);
  await checkIncome();
});

it('what takes a credit note back is an invoice again, and names the note', async () => {
  await sellAs(HARBOUR);
  await settle(billing.api);
  const [invoice] = await allInvoices(billing.api);
  if (invoice === undefined) throw new Error('nothing was issued');
  const at = billing.api.now();
  await billing.api.db.write((tx) => creditRest(tx, invoice, at));
  const nothingLess = () => ({ lines: [], incomeParts: [] });
  await billing.api.db.write((tx) => creditUpTo(tx, invoice, 0, at, nothingLess));
  const all = await allInvoices(billing.api);
  const [note, again] = [2, 3].map((wanted) => all.find(({ number }) => number === wanted));
  expect(await readOf(again?.id ?? '')).toMatchObject({
    number: 3,
    kind: 'invoice',
    credits: { invoiceId: note?.id, number: 2 },
    price: { amount: 1240 },
  });
  expect(await documentOf(again?.id ?? '')).not.toContain('Credit note no. 3');
});

it('a seller that writes its national id in another way, or moves, goes on with its numbers', async () => {
  await sellAs(HARBOUR);
  await settle(billing.api);
  await sellAs({ ...HARBOUR, ssn: '5001012880', name: 'Höfnin ehf.', address: 'Bryggjan 1' });
  await settle(billing.api);
  expect((await allInvoices(billing.api)).map(({ number }) => number)).toEqual([2, 1]);
});

it('charges at the sites of two sellers are two invoices', async () => {
  const airport = await billing.api.addSite('Airport');
  await sellAs(HARBOUR);
  await sellAs(AIRPORT, airport.id);
  const customerId = await addCustomer(billing.api, { billingMethod: 'monthly' });
  await billing.charge(customerId, { amountMinor: 300 });
  await billing.charge(customerId, { amountMinor: 700, siteId: airport.id });
  await billing.charge(customerId, { amountMinor: 50 });
  await billAt('2026-12-02T00:00:00.000Z');
  const { body } = await billing.api.call('GET', '/invoices');
  expect(body['data']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        number: 1,
        price: { amount: 350, currency: 'ISK' },
        seller: expect.objectContaining({ name: 'Höfn ehf.' }),
      }),
      expect.objectContaining({
        number: 1,
        price: { amount: 700, currency: 'ISK' },
        seller: expect.objectContaining({ name: 'Flug ehf.' }),
      }),
    ]),
  );
  await checkIncome();
});

it('a month is the own one of each site, also of a customer with visits in several time zones', async () => {
  const west = await billing.api.addSite('New York', 'America/New_York');
  const east = await billing.api.addSite('Tokyo', 'Asia/Tokyo');
  const customerId = await addCustomer(billing.api, { billingMethod: 'monthly' });
  // All three in the same hour: November in New York and Reykjavík, December in Tokyo.
  const at = '2026-11-30T16:30:00.000Z';
  await billing.charge(customerId, { amountMinor: 1, at });
  await billing.charge(customerId, { amountMinor: 20, at, siteId: west.id });
  await billing.charge(customerId, { amountMinor: 300, at, siteId: east.id });
  // Still November in New York alone.
  await billing.charge(customerId, { amountMinor: 4000, at: '2026-12-01T04:30:00.000Z', siteId: west.id });
  await billAt('2026-12-01T04:00:00.000Z');
  expect(await allInvoices(billing.api)).toEqual([]);
  await billAt('2026-12-01T06:00:00.000Z');
  expect(await allInvoices(billing.api)).toMatchObject([{ amountMinor: 4021, period: '2026-11' }]);
  await billAt('2027-01-01T06:00:00.000Z');
  expect(
    (await allInvoices(billing.api)).map(({ amountMinor, period }) => [period, amountMinor]).toSorted(),
  ).toEqual([
    ['2026-11', 4021],
    ['2026-12', 300],
  ]);
});

it('two clouds on one database, some of whose work is broken off, number without a gap or a repeat', async () => {
  const airport = await billing.api.addSite('Airport');
  await sellAs(HARBOUR);
  await sellAs(AIRPORT, airport.id);
  const second = await openDb(billing.api.dbPath);
  const other = { ...billing.api, db: second };
  const work = Array.from({ length: 40 }, async (_, at) => {
    const api = at % 2 === 0 ? billing.api : other;
    const siteId = at % 3 === 0 ? airport.id : billing.api.site.id;
    if (at % 5 === 4) {
      await expect(
        api.db.write(async (tx) => {
          const visit = { id: randomUUID(), siteId, plate: 'ABX12', customerId: null, vehicleCategory: null };
          const money = { paymentStatus: 'kiosk', amountMinor: 7, currency: 'ISK', units: 1 } as const;
          const made = { cause: randomUUID(), at: billing.api.now(), ...money };
          await invoiceSettlement(tx, { ...visit, price: null }, made);
          throw new Error('killed');
        }),
      ).rejects.toThrow('killed');
    } else await settle(api, { siteId });
  });
  await Promise.all(work);
  await second.close();
  expect([...(await checkNumbers()).values()].reduce((all, one) => all + one, 0)).toBe(32);
  await checkIncome();
});

it('credit notes of two clouds, some of which are broken off, number without a gap beside their invoices', async () => {
  const airport = await billing.api.addSite('Airport');
  await sellAs(HARBOUR);
  await sellAs(AIRPORT, airport.id);
  for (let n = 0; n < 20; n++) {
    await settle(billing.api, { siteId: n % 3 === 0 ? airport.id : billing.api.site.id });
  }
  const second = await openDb(billing.api.dbPath);
  const clouds = [billing.api.db, second];
  const invoices = await allInvoices(billing.api);
  const work = invoices.map(async ({ id }, at) => {
    const isBroken = at % 4 === 3;
    const credited = clouds[at % 2]?.write(async (tx) => {
      const invoice = await invoiceById(tx.q, id);
      if (invoice !== null) await creditRest(tx, invoice, billing.api.now(), 'hand');
      if (isBroken) throw new Error('killed');
    });
    const more = settle({ ...billing.api, db: at % 2 === 0 ? second : billing.api.db });
    await (isBroken ? expect(credited).rejects.toThrow('killed') : credited);
    await more;
  });
  await Promise.all(work);
  await second.close();
  expect([...(await checkNumbers()).values()].reduce((all, one) => all + one, 0)).toBe(20 + 15 + 20);
  await checkIncome();
});

it.each(['nothing', 'due', 'bill'] as const)(
  'a company’s invoice is corrected by a visit, and what it owes is: %s',
  async (outcome) => {
    await billing.api.made('/products', LIGHT);
    const customerId = await addCustomer(billing.api, { billingMethod: 'daily', discount: 10 });
    const visits: string[] = [];
    for (const plate of ['ABX12', 'KLM34']) {
      const visit = await billing.api.visit({ plate, status: 'need-payment', price: PRICED });
      await billing.api.giveVisit(visit.id, customerId);
      await change(`/visit/${visit.id}`, { paymentStatus: 'company-invoice', status: 'completed' });
      visits.push(visit.id);
    }
    billing.api.wait(24 * 3_600_000);
    await billing.bill();
    const [invoice] = await allInvoices(billing.api);
    const id = invoice?.id ?? '';
    expect(invoice).toMatchObject({ amountMinor: 1800, status: 'draft' });
    const read = await readOf(id);
    const path = `/invoice/${id}/credit`;
    const body = { visitIds: [visits[0]], outcome, reason: 'It was another car' };
    const corrected = await billing.api.call('POST', path, { body });
    expect(corrected.body).toMatchObject({
      price: { amount: 1800 },
      creditNotes: [{ number: 2, amount: -900 }],
    });
    const { creditNotes: _, open, ...same } = await readOf(id);
    expect({ ...same, creditNotes: [], open: 1800 }).toEqual(read);
    expect(open).toBe(900);
    expect((await billing.api.call('POST', path, { body })).status).toBe(400);

    const visit = await billing.api.call('GET', `/visit/${visits[0]}`);
    if (outcome === 'nothing') expect(visit.body).toMatchObject({ status: 'completed', due: { amount: 0 } });
    if (outcome === 'due') expect(visit.body).toMatchObject({ status: 'need-payment' });
    billing.api.wait(24 * 3_600_000);
    await billing.bill();
    const amounts = (await allInvoices(billing.api)).map(({ amountMinor }) => amountMinor);
    const isBilled = outcome === 'bill';
    expect(amounts).toHaveLength(isBilled ? 3 : 2);
    if (isBilled) expect(amounts[0]).toBeGreaterThan(0);
    if (outcome === 'due') {
      const due = z.looseObject({ due: z.looseObject({ amount: z.int() }) }).parse(visit.body);
      expect(due.due.amount).toBeGreaterThan(0);
    }
    await checkNumbers();
    await checkIncome();
    // The rest is settled with the invoice.
    await change(`/invoice/${id}`, { status: 'paid' });
    expect((await allInvoices(billing.api)).filter(({ status }) => status === 'draft')).toHaveLength(
      isBilled ? 1 : 0,
    );
  },
);

it('an invoice of which every visit is taken back is refunded, and so are its credit notes', async () => {
  const customerId = await addCustomer(billing.api, { billingMethod: 'daily' });
  const ids = [await billing.charge(customerId), await billing.charge(customerId, { plate: 'KLM34' })];
  billing.api.wait(24 * 3_600_000);
  await billing.bill();
  const [invoice] = await allInvoices(billing.api);
  for (const visitId of ids) {
    const body = { visitIds: [visitId], outcome: 'nothing', reason: 'Not theirs' };
    expect((await billing.api.call('POST', `/invoice/${invoice?.id}/credit`, { body })).status).toBe(303);
  }
  expect((await allInvoices(billing.api)).map(({ status }) => status)).toEqual(Array(3).fill('refunded'));
  expect((await billing.income()).map(({ invoices, amountMinor }) => [invoices, amountMinor])).toEqual([
    [0, 0],
  ]);
});

it.each([
  [
    { visitIds: [randomUUID()], outcome: 'nothing', reason: 'x' },
    'visitIds.0: the invoice has no such visit',
  ],
  [{ visitIds: [], outcome: 'nothing', reason: 'x' }, 'visitIds'],
  [{ visitIds: ['x'], outcome: 'nothing' }, 'reason'],
])('a correction %o is refused', async (body, message) => {
  const customerId = await addCustomer(billing.api, { billingMethod: 'daily' });
  await billing.charge(customerId);
  billing.api.wait(24 * 3_600_000);
  await billing.bill();
  const [invoice] = await allInvoices(billing.api);
  const answer = await billing.api.call('POST', `/invoice/${invoice?.id}/credit`, { body });
  expect([answer.status, JSON.stringify(answer.body['messages'])]).toEqual([
    400,
    expect.stringContaining(message),
  ]);
});
