import { randomUUID } from 'node:crypto';
import type { Payment } from '@hlid/protocol/records/payment';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, reportStates, samplePayment } from '../../../test/payments.ts';
import { batchText, eventAt, sampleVisit, visitEvent } from '../../../test/sample-events.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { readBatch } from '../../integration/ingest/read-batch.ts';
import { asc } from '../../platform/db/sql.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { rejectedEventTable } from '../../records/sites/event-cursor-table.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';
import { findPayment } from './find-payment.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** Sends events as a site's batch through the real ingest. */
async function ingest(epoch: string, bodies: readonly SiteEventBody[], from = 1): Promise<void> {
  const events = bodies.map((body, index) => eventAt(from + index, body));
  const read = readBatch(Buffer.from(batchText(epoch, events)));
  if (!read.ok) throw new Error(read.reason);
  await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch, events: read.events });
}

const changed = (payment: Payment): SiteEventBody => ({ type: 'payment.changed', payment });

async function income(): Promise<number> {
  const rows = await api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

async function rejected(): Promise<string[]> {
  const rows = await api.db.read(async (q) => await q.select().from(rejectedEventTable));
  return rows.map(({ error }) => error);
}

async function eventTypes(): Promise<string[]> {
  const { type, n } = integrationEventTable;
  const rows = await api.db.read(
    async (q) => await q.select({ type }).from(integrationEventTable).orderBy(asc(n)),
  );
  return rows.map((row) => row.type);
}

it('makes one paid invoice of a settled payment, with the card and its own id', async () => {
  const visit = sampleVisit({ plate: 'ABX12' });
  const product = { id: randomUUID(), version: 1, vatRate: 24 };
  const payment = samplePayment({ visitId: visit.id, product });
  await ingest(randomUUID(), [visitEvent('visit.opened', visit), changed(payment)]);
  const [invoice, ...more] = await allInvoices(api);
  expect(more).toEqual([]);
  expect(invoice).toMatchObject({
    id: payment.id,
    status: 'paid',
    number: 1,
    amountMinor: 1000,
    visitId: visit.id,
    paymentType: 'kiosk',
    receiptType: 'visa',
    receiptLastFour: '4242',
    issuedAt: payment.changedAt,
    vat: [{ category: 'S', rate: 24, netMinor: 806, vatMinor: 194 }],
  });
  expect(await income()).toBe(1000);
  expect(await eventTypes()).toEqual(['visit.opened', 'invoice.issued', 'payment.settled']);
});

it('takes product and VAT from what the site priced it by, whatever the product says since', async () => {
  const body = { type: 'default', price: 500, vatRate: 11, vehicleCategory: 'light', productCode: 'P' };
  const { id: productId } = await api.made('/products', body);
  const visit = sampleVisit({ plate: 'ABX12', price: null });
  await api.call('PUT', `/products/${productId}`, { body: { vatRate: 24 } });
  const product = { id: productId, version: 1, vatRate: 11 };
  const payment = samplePayment({ visitId: visit.id, units: 2, product });
  await ingest(randomUUID(), [visitEvent('visit.opened', visit), changed(payment)]);
  expect(await allInvoices(api)).toMatchObject([
    { productId, vat: [{ rate: 11, netMinor: 901, vatMinor: 99 }] },
  ]);
});

it('keeps the VAT of the price and of the fee as the site had them; an older site sends a rate for both', async () => {
  const product = {
    id: randomUUID(),
    version: 1,
    vatRate: 0,
    vatCategory: 'E' as const,
    vatReason: 'parking-rental',
  };
  const own = samplePayment({ product, feesMinor: 124, feesVat: { vatRate: 24 } });
  const older = samplePayment({ product: { id: product.id, version: 1, vatRate: 24 }, feesMinor: 124 });
  await ingest(randomUUID(), [changed(own), changed(older)]);
  const invoices = await allInvoices(api);
  expect(invoices.find(({ id }) => id === own.id)).toMatchObject({
    lines: [
      { vatRate: 0, vatCategory: 'E', vatReason: 'parking-rental' },
      { rule: 'service-fee', vatRate: 24 },
    ],
    vat: [
      { category: 'S', rate: 24, reasons: [], netMinor: 100, vatMinor: 24 },
      { category: 'E', rate: 0, reasons: ['parking-rental'], netMinor: 876, vatMinor: 0 },
    ],
  });
  expect(invoices.find(({ id }) => id === older.id)?.vat).toEqual([
    { category: 'S', rate: 24, reasons: [], netMinor: 806, vatMinor: 194 },
  ]);
});

it('says nothing of the VAT where nobody has decided it', async () => {
  const payment = samplePayment({ product: { id: randomUUID(), version: 1, vatRate: 0 } });
  await ingest(randomUUID(), [changed(payment)]);
  expect(await allInvoices(api)).toMatchObject([{ vat: [{ category: null, rate: 0, vatMinor: 0 }] }]);
});

it('makes one invoice, however often and from whichever epoch it is sent', async () => {
  const payment = samplePayment();
  const course = (['created', 'sent', 'approved', 'settled'] as const).map((state) =>
    changed({ ...payment, state }),
  );
  await ingest(randomUUID(), course);
  await ingest(randomUUID(), [...course, ...course]);
  await ingest(randomUUID(), course.slice(1, 3));
  expect(await allInvoices(api)).toHaveLength(1);
  expect(await income()).toBe(1000);
  expect(await rejected()).toEqual([]);
  expect(await api.db.read((q) => findPayment(q, payment.id))).toMatchObject({ state: 'settled' });
});

it('holds an incomplete invoice while that is not known, and issues it when it was booked', async () => {
  const payment = samplePayment({ transaction: null });
  await reportStates(api, payment, 'created', 'sent', 'unknown');
  expect(await allInvoices(api)).toMatchObject([{ status: 'incomplete', number: null, receiptType: null }]);
  expect(await income()).toBe(0);
  const { body } = await api.call('GET', '/invoices?status=incomplete');
  expect(body['data']).toMatchObject([{ id: payment.id, number: null }]);
  const paid = await api.call('PUT', `/invoice/${payment.id}`, {
    body: { payer: { ssn: null, name: 'Jón' } },
  });
  expect(paid.status).toBe(400);
  const card = { type: 'maestro', lastFour: null } as const;
  const transaction = { reference: '7', authorisation: null, card };
  await reportPayment(api, { ...payment, transaction, changedAt: '2026-11-21T11:10:00.000Z' });
  expect(await allInvoices(api)).toMatchObject([{ status: 'paid', number: 1, receiptType: 'maestro' }]);
  expect(await income()).toBe(1000);
});

it('fails the invoice of an unknown payment that was never booked, without a number', async () => {
  const payment = samplePayment({ transaction: null });
  await reportStates(api, payment, 'sent', 'unknown', 'cancelled');
  expect(await allInvoices(api)).toMatchObject([{ status: 'failed', number: null }]);
  expect(await income()).toBe(0);
});

it('makes no income of what was declined', async () => {
  await reportStates(api, samplePayment({ transaction: null }), 'created', 'sent', 'declined');
  expect(await allInvoices(api)).toMatchObject([{ status: 'failed', number: null }]);
  expect(await income()).toBe(0);
});

it('refunds once what was reversed, also where a person has marked it before', async () => {
  const payment = samplePayment();
  await reportStates(api, payment, 'settled', 'reversed', 'reversed');
  expect(await allInvoices(api)).toMatchObject([
    { status: 'refunded', number: 2, creditOf: payment.id },
    { status: 'refunded', number: 1 },
  ]);
  expect(await income()).toBe(0);
  const other = samplePayment();
  await reportPayment(api, other);
  await api.call('POST', `/invoice/${other.id}/refund`, { body: { reason: 'barrier broken' } });
  await reportPayment(api, { ...other, state: 'reversed' });
  expect(await income()).toBe(0);
  expect((await eventTypes()).filter((type) => type === 'invoice.refunded')).toHaveLength(2);
});

it('says of a declined payment that it failed: its visit does, and its invoice, which has its id', async () => {
  const visit = await api.visit({ status: 'need-payment' });
  const declined = samplePayment({ visitId: visit.id, state: 'declined', reason: 'card-expired' });
  await reportPayment(api, declined);
  const invoice = await api.call('GET', `/invoice/${declined.id}`);
  expect([invoice.status, invoice.body]).toMatchObject([200, { status: 'failed', number: null }]);
  const statusOf = async () => (await api.call('GET', `/visit/${visit.id}`)).body['paymentStatus'];
  expect(await statusOf()).toBe('failed');
  expect((await api.call('GET', '/visits?payment.status=failed')).body['total']).toBe(1);
  // Its site goes on without knowing of it, and people correct other things.
  await api.visit({ ...visit, entryLaneId: 'north' });
  await api.call('PUT', `/visit/${visit.id}`, { body: { plate: 'MKJ45' } });
  expect(await statusOf()).toBe('failed');
  // A driver who gave up tried nothing that failed, and a later try that succeeds pays.
  const other = await api.visit({ status: 'need-payment', plate: 'KLM34' });
  const cancelled = samplePayment({ visitId: other.id, state: 'cancelled' });
  await reportPayment(api, cancelled);
  expect((await api.call('GET', `/invoice/${cancelled.id}`)).body).toMatchObject({ status: 'failed' });
  expect((await api.call('GET', `/visit/${other.id}`)).body['paymentStatus']).toBeNull();
  await api.visit({ ...visit, status: 'new', paymentStatus: 'kiosk' }, { feedAt: 1000 });
  expect(await statusOf()).toBe('kiosk');
  expect(await income()).toBe(0);
});

it('refuses a payment of another site, and one with another amount than it had', async () => {
  const payment = samplePayment();
  await reportPayment(api, payment);
  const other = await api.addSite('Airport');
  expect(await reportPayment(api, payment, other.id)).toMatch('another site');
  expect(await reportPayment(api, { ...payment, amountMinor: 1, state: 'reversed' })).toMatch('amount');
  expect(await income()).toBe(1000);
});

it('mails the receipt that a driver asked for at the kiosk', async () => {
  const visit = sampleVisit({ plate: 'ABX12' });
  const payment = samplePayment({ visitId: visit.id });
  const request: SiteEventBody = {
    type: 'receipt.wanted',
    paymentId: payment.id,
    email: 'jon@example.is',
    language: 'is',
  };
  await ingest(randomUUID(), [visitEvent('visit.opened', visit), changed(payment), request]);
  const [mail] = await api.db.read(async (q) => await q.select().from(mailTable));
  expect(mail).toMatchObject({ to: 'jon@example.is', kind: 'receipt', status: 'waiting' });
  expect(mail?.text).toContain('Bílastæði, 24 klst.: 1.000 kr.'.replace(' kr', '\u00a0kr'));
  expect(mail?.text).toContain('•••• 4242');
});

it('keeps books that agree with the payments, whatever is sent in whatever order', async () => {
  const states = ['created', 'sent', 'approved', 'unknown', 'settled', 'reversed', 'declined'] as const;
  const telling = fc.record({ of: fc.nat({ max: 2 }), state: fc.constantFrom(...states) });
  await fc.assert(
    fc.asyncProperty(fc.array(telling, { minLength: 1, maxLength: 15 }), async (tellings) => {
      const before = { income: await income(), invoices: (await allInvoices(api)).length };
      const payments = [samplePayment(), samplePayment(), samplePayment()];
      for (const { of, state } of tellings) {
        const payment = payments[of];
        if (payment) await reportPayment(api, { ...payment, state });
      }
      const known = await Promise.all(payments.map(({ id }) => api.db.read((q) => findPayment(q, id))));
      const settled = known.filter((payment) => payment?.state === 'settled').length;
      expect((await income()) - before.income).toBe(settled * 1000);
      const invoices = await allInvoices(api);
      const reversed = known.filter((payment) => payment?.state === 'reversed').length;
      // Each reversed one may have a credit note.
      expect(invoices.length - before.invoices).toBeLessThanOrEqual(3 + reversed);
      const ids = payments.map(({ id }) => id);
      const paid = invoices.filter(({ id, status }) => ids.includes(id) && status === 'paid');
      expect(paid).toHaveLength(settled);
    }),
    { numRuns: 30 },
  );
});
