import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';
import { insertInvoice } from './invoice-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** Settles and answers the invoice that was made. */
async function invoiced(given: Parameters<typeof settle>[1] = {}) {
  const visitId = await settle(api, given);
  const invoice = (await allInvoices(api)).find((one) => one.visitId === visitId);
  if (invoice === undefined) throw new Error('no invoice');
  return invoice;
}

const ListSchema = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  next: z.string().nullable(),
});

async function ids(path: string, token?: string): Promise<string[]> {
  const { body } = await api.call('GET', path, token === undefined ? {} : { token });
  return ListSchema.parse(body).data.map(({ id }) => id);
}

const income = async () =>
  (await api.db.read(async (q) => await q.select().from(incomeTable))).map(
    ({ day, invoices, amountMinor }) => [day, invoices, amountMinor] as const,
  );

describe('reading', () => {
  it('an invoice shows its price, the VAT in it, its lines and its receipt', async () => {
    const customerId = await addCustomer(api);
    const row = await invoiced({ customerId, amountMinor: 1240 });
    const id = 'with-a-card';
    const card = { cause: id, number: null, receiptType: 'visa', receiptLastFour: '1234' } as const;
    await api.db.write(({ q }) => insertInvoice(q, { ...row, id, ...card }));
    const { status, body } = await api.call('GET', `/invoice/${id}`);
    expect([status, body]).toMatchObject([
      200,
      {
        id,
        status: 'paid',
        price: { amount: 1240, currency: 'ISK' },
        vat: [{ rate: 24, net: 1000, vat: 240 }],
        lines: [{ rule: 'visit', amount: 1240, vatRate: 24 }],
        customer: { id: customerId, name: 'Bílaleigan ehf.' },
        invoiceEmail: null,
        language: 'is',
        receipt: { type: 'visa', card: { number: '**** **** **** 1234' }, last_four: '1234' },
        remoteStatus: 'draft',
        createdOn: api.now(),
      },
    ]);
    expect(await ids('/invoices?card.lastFour=1234')).toEqual([id]);
    expect(await ids('/invoices?card.lastFour=9999')).toEqual([]);
  });

  it('customers see their own invoices and do not learn of others', async () => {
    const [mine, other] = [await addCustomer(api), await addCustomer(api)];
    const token = await api.account('customer', { customerId: mine });
    const own = await invoiced({ customerId: mine });
    const foreign = await invoiced({ customerId: other });
    expect(await ids('/invoices', token)).toEqual([own.id]);
    expect(await ids(`/invoices?customer=${other}`, token)).toEqual([]);
    expect((await api.call('GET', `/invoice/${own.id}`, { token })).status).toBe(200);
    expect((await api.call('GET', `/invoice/${foreign.id}`, { token })).status).toBe(404);
    const nobody = await api.account('partner');
    expect(await ids('/invoices', nobody)).toEqual([]);
    expect((await api.call('GET', `/invoice/${own.id}`, { token: nobody })).status).toBe(404);
  });

  it('each filter finds what it names', async () => {
    const customerId = await addCustomer(api);
    const paid = await invoiced({ at: '2026-11-19T23:59:59.000Z' });
    const done = await invoiced({ at: '2026-11-20T00:00:00.000Z', customerId });
    const waiting = await invoiced({ at: '2026-11-21T10:00:00.000Z', paymentStatus: 'owner-invoice' });
    const payer = { ssn: '120160-3389', name: 'Jón' };
    await api.call('PUT', `/invoice/${done.id}`, { body: { remoteStatus: 'completed' } });
    const all = [waiting.id, done.id, paid.id];
    expect(await ids('/invoices')).toEqual(all);
    expect(await ids('/invoices?status=draft')).toEqual([waiting.id]);
    expect(await ids('/invoices?collection=waiting')).toEqual([waiting.id]);
    expect(await ids('/invoices?collection=latest')).toEqual(all);
    expect(await ids('/invoices?status=paid')).toEqual([done.id, paid.id]);
    expect(await ids('/invoices?status=paid-accounting')).toEqual([done.id]);
    expect(await ids('/invoices?status=paid-accounting&remoteStatus=draft')).toEqual([]);
    expect(await ids('/invoices?remoteStatus=draft')).toEqual([paid.id]);
    expect(await ids(`/invoices?customer=${customerId}&status=paid`)).toEqual([done.id]);
    expect(await ids('/invoices?date.from=2026-11-20&date.to=2026-11-20')).toEqual([done.id]);
    expect(await ids('/invoices?date.to=2026-11-19')).toEqual([paid.id]);
    expect(await ids('/invoices?date.to=2026-11-19T23:59:59.999Z')).toEqual([paid.id]);
    await api.call('PUT', `/invoice/${waiting.id}`, { body: { payer } });
    expect(await ids('/invoices?ssn=120160-3389')).toEqual([waiting.id]);
    expect(await ids('/invoices?remoteStatus=draft')).toEqual([waiting.id, paid.id]);
  });

  it('a plate finds the invoices of its visits, also collective ones; a number and a site find their own', async () => {
    const { id } = await api.visit({ plate: 'ABO12' });
    const own = await invoiced({ id, plate: 'ABO12' });
    const other = await invoiced({ at: '2026-11-20T00:00:00.000Z', siteId: 'another' });
    const customerId = await addCustomer(api);
    const due = { customerId, paymentStatus: 'company-invoice', at: '2026-11-20T08:00:00.000Z' } as const;
    await settle(api, { id: (await api.visit({ plate: 'XYZ99' })).id, plate: 'XYZ99', ...due });
    await api.call('POST', '/billing/runs', { body: {} });
    const [collective] = await ids('/invoices?status=draft');
    expect(await ids('/invoices?plate=xyz-99')).toEqual([collective]);
    expect(await ids('/invoices?plate=AB-012&status=paid&date.from=2026-11-21')).toEqual([own.id]);
    expect(await ids('/invoices?plate=ABO1')).toEqual([]);
    expect(await ids(`/invoices?number=${other.number}`)).toEqual([other.id]);
    expect(await ids('/invoices?siteId=another')).toEqual([other.id]);
  });

  it('pages show each once', async () => {
    for (let n = 0; n < 60; n++) await settle(api, { amountMinor: 100 + n });
    const first = ListSchema.parse((await api.call('GET', '/invoices')).body);
    const second = await ids(`/invoices?next=${first.next}`);
    expect(new Set([...first.data.map(({ id }) => id), ...second]).size).toBe(60);
  });

  it('a query with mistakes is refused, all of them named', async () => {
    const { status, body } = await api.call('GET', '/invoices?card.lastFour=12&status=lost&ssn=1&what=x');
    expect([status, body['messages']]).toEqual([
      400,
      expect.arrayContaining([
        expect.stringContaining('card.lastFour:'),
        expect.stringContaining('status:'),
        expect.stringContaining('ssn:'),
        expect.stringContaining('what'),
      ]),
    ]);
    expect((await api.call('GET', '/invoices', { token: await api.roleToken('kiosk') })).status).toBe(403);
    expect((await api.call('GET', '/invoice/none')).status).toBe(404);
  });
});

describe('marking', () => {
  it('an accounting system marks what it has taken, as often as it likes', async () => {
    const { id } = await invoiced();
    const token = await api.roleToken('webhook');
    const body = { remoteStatus: 'completed' };
    for (const _ of [1, 2]) {
      const marked = await api.call('PUT', `/invoice/${id}`, { token, body });
      expect([marked.status, marked.location]).toEqual([303, `/invoice/${id}`]);
      expect(marked.body).toMatchObject({ id, remoteStatus: 'completed' });
      const followed = await api.call('GET', marked.location ?? '', { token });
      expect([followed.status, followed.body]).toEqual([200, marked.body]);
    }
    const audited = (await api.audited()).filter(({ action }) => action === 'invoice.update');
    expect(audited).toMatchObject([
      { before: { remoteStatus: 'draft' }, after: { remoteStatus: 'completed' } },
    ]);
    const back = await api.call('PUT', `/invoice/${id}`, { token, body: { remoteStatus: 'failed' } });
    expect(back.body['messages']).toEqual([expect.stringContaining('remoteStatus:')]);
  });

  it('an accounting system sees the invoices of every customer, and no other token any', async () => {
    const customerId = await addCustomer(api);
    await invoiced({ customerId });
    const { id } = await invoiced();
    const token = await api.roleToken('webhook');
    const pulled = await api.call('GET', '/invoices?remoteStatus=draft', { token });
    expect([pulled.status, pulled.body['total']]).toEqual([200, 2]);
    for (const role of ['kiosk', 'whitelist'] as const) {
      const denied = { token: await api.roleToken(role) };
      expect((await api.call('GET', '/invoices', denied)).status).toBe(403);
      expect((await api.call('GET', `/invoice/${id}`, denied)).status).toBe(403);
    }
  });

  it('who pays is said of an invoice that waits: it is issued then, and once', async () => {
    const { id } = await invoiced({ paymentStatus: 'owner-invoice', at: '2026-11-19T10:00:00.000Z' });
    const early = await api.call('PUT', `/invoice/${id}`, {
      body: { status: 'paid', remoteStatus: 'failed' },
    });
    expect([early.status, early.body['messages']]).toMatchObject([400, { length: 2 }]);
    const body = { payer: { ssn: '120160-3389', name: 'Jón' }, invoiceEmail: 'jon@example.is' };
    const issued = await api.call('PUT', `/invoice/${id}`, { body });
    expect([issued.status, issued.body]).toMatchObject([
      303,
      { number: 1, status: 'draft', payer: { ssn: '1201603389', name: 'Jón' }, issuedOn: api.now() },
    ]);
    expect(await income()).toEqual([['2026-11-21', 1, 1240]]);
    const again = await api.call('PUT', `/invoice/${id}`, { body: { payer: { ssn: null, name: 'Ég' } } });
    expect([again.status, again.body['messages']]).toEqual([400, ['payer: it is issued already']]);
    const paid = await api.call('PUT', `/invoice/${id}`, { body: { status: 'paid' } });
    expect(paid.body).toMatchObject({ status: 'paid', invoiceEmail: 'jon@example.is' });
    expect(await income()).toEqual([['2026-11-21', 1, 1240]]);
  });

  it.each([
    ['another status', { status: 'refunded' }, ['status:']],
    [
      'an address that is none',
      { invoiceEmail: 'a@b.is\r\nBcc: c@d.is', language: 'fr' },
      ['invoiceEmail:', 'language:'],
    ],
    ['an unknown field', { amount: 1 }, ['amount']],
  ])('%s is refused', async (_what, body, places) => {
    const { id } = await invoiced();
    const { status, body: refused } = await api.call('PUT', `/invoice/${id}`, { body });
    expect(status).toBe(400);
    expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
  });

  it('customers mark nothing; what is not there is 404', async () => {
    const customerId = await addCustomer(api);
    const { id } = await invoiced({ customerId });
    const token = await api.account('customer', { customerId });
    const body = { remoteStatus: 'completed' };
    expect((await api.call('PUT', `/invoice/${id}`, { token, body })).status).toBe(403);
    expect((await api.call('PUT', '/invoice/none', { body })).status).toBe(404);
  });
});

describe('refunding', () => {
  const reason = 'The barrier did not open';

  it('takes a paid invoice out of the income of the day of the refund', async () => {
    const { id } = await invoiced({ at: '2026-11-20T10:00:00.000Z' });
    await api.call('PUT', `/invoice/${id}`, { body: { remoteStatus: 'completed' } });
    const refunded = await api.call('POST', `/invoice/${id}/refund`, { body: { reason } });
    expect([refunded.status, refunded.location]).toEqual([303, `/invoice/${id}`]);
    // Accounting has taken it, and takes the credit note.
    const marks = { status: 'refunded', refundedOn: api.now(), remoteStatus: 'completed' };
    expect(refunded.body).toMatchObject({ ...marks, creditNotes: [{ number: 2, amount: -1240 }] });
    const toTake = await api.call('GET', '/invoices?remoteStatus=draft');
    expect(toTake.body['data']).toMatchObject([
      { number: 2, credits: { invoiceId: id, number: 1 }, price: { amount: -1240 } },
    ]);
    expect(await income()).toEqual([
      ['2026-11-20', 1, 1240],
      ['2026-11-21', -1, -1240],
    ]);
    expect((await api.audited()).find(({ action }) => action === 'invoice.refund')).toMatchObject({
      reason,
      before: { status: 'paid' },
      after: { status: 'refunded' },
    });
    const reported = await api.db.read(async (q) => await q.select().from(integrationEventTable));
    expect(reported.filter(({ subjectId }) => subjectId === id).map(({ type }) => type)).toEqual([
      'invoice.issued',
      'invoice.refunded',
    ]);
  });

  it('happens once, of twenty at the same moment', async () => {
    const { id } = await invoiced();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('POST', `/invoice/${id}/refund`, { body: { reason } })),
    );
    const others = answers.filter(({ status }) => status !== 303);
    expect(others).toHaveLength(19);
    for (const { status, body } of others) expect([status, body['id']]).toEqual([422, id]);
    expect((await income()).reduce((sum, [, , amount]) => sum + amount, 0)).toBe(0);
  });

  it('is refused where nothing was paid, without a reason, and to others', async () => {
    const customerId = await addCustomer(api);
    const { id } = await invoiced({ paymentStatus: 'owner-invoice', customerId });
    const unpaid = await api.call('POST', `/invoice/${id}/refund`, { body: { reason } });
    expect([unpaid.status, unpaid.body['messages']]).toEqual([400, [expect.stringContaining('draft')]]);
    const blank = await api.call('POST', `/invoice/${id}/refund`, { body: { reason: ' ' } });
    expect([blank.status, blank.body['messages']]).toEqual([400, [expect.stringContaining('reason:')]]);
    const token = await api.account('customer', { customerId });
    expect((await api.call('POST', `/invoice/${id}/refund`, { token, body: { reason } })).status).toBe(403);
    expect((await api.call('POST', '/invoice/none/refund', { body: { reason } })).status).toBe(404);
  });
});
