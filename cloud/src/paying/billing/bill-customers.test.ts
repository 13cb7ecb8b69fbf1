import { DAY_MS } from '@hlid/protocol/base/durations';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useBilling } from '../../../test/billing.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { IncomeReportSchema } from '../../integration/reports/income-report.ts';
import { mailTable } from '../../records/mail/mail-table.ts';

const billing = useBilling();
const { income, charge, bill } = billing;
const mails = () => billing.api.db.read(async (q) => await q.select().from(mailTable));

describe('a collected invoice', () => {
  it('has a line for each visit of a day that is over, once', async () => {
    const customerId = await addCustomer(billing.api, { billingMethod: 'daily' }, { ssn: '5305750209' });
    const first = await charge(customerId, { plate: 'AB123', at: '2026-11-20T08:00:00.000Z' });
    const second = await charge(customerId, { plate: 'CD456', units: 2, at: '2026-11-20T23:59:59.999Z' });
    await charge(customerId, { at: '2026-11-21T00:00:00.000Z' });
    expect(await bill()).toMatchObject({
      invoices: 1,
      amounts: [{ amount: 2000, currency: 'ISK' }],
      by: 'account:the-operator',
      doneOn: billing.api.now(),
      error: null,
    });
    expect(await allInvoices(billing.api)).toMatchObject([
      {
        number: 1,
        status: 'draft',
        customerId,
        payerSsn: '5305750209',
        payerName: 'Bílaleigan ehf.',
        paymentType: 'company-invoice',
        siteId: billing.api.site.id,
        visitId: null,
        amountMinor: 2000,
        periodFrom: '2026-11-20T00:00:00.000Z',
        periodBefore: '2026-11-21T00:00:00.000Z',
        issuedAt: billing.api.now(),
        lines: [
          { rule: 'visit', visitId: first, plate: 'AB123', units: 1, amountMinor: 1000 },
          { rule: 'visit', visitId: second, plate: 'CD456', units: 2, amountMinor: 1000 },
        ],
      },
    ]);
    expect(await bill()).toMatchObject({ invoices: 0, amounts: [] });
    expect(await allInvoices(billing.api)).toHaveLength(1);
  });

  it('of a month comes when the month is over', async () => {
    const customerId = await addCustomer(billing.api, { billingMethod: 'monthly' });
    await charge(customerId, { at: '2026-11-02T08:00:00.000Z' });
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    expect(await bill()).toMatchObject({ invoices: 0 });
    billing.api.wait(10 * DAY_MS);
    expect(await bill({ until: '2026-11-30T23:59:59.999Z' })).toMatchObject({ invoices: 0 });
    expect(await bill({ until: '2026-12-01T00:00:00Z' })).toMatchObject({ invoices: 1 });
    expect(await allInvoices(billing.api)).toMatchObject([
      { amountMinor: 2000, periodFrom: '2026-11-01T00:00:00.000Z' },
    ]);
  });

  it('is one for each currency', async () => {
    const customerId = await addCustomer(billing.api);
    for (const currency of ['ISK', 'EUR'])
      await charge(customerId, { currency, at: '2026-11-20T08:00:00.000Z' });
    expect(await bill()).toMatchObject({
      invoices: 2,
      amounts: [
        { amount: 1000, currency: 'EUR' },
        { amount: 1000, currency: 'ISK' },
      ],
    });
  });

  it('gives the discount of the sum as a line, and each site its share of the rest', async () => {
    const other = await billing.api.addSite('Airport');
    const customerId = await addCustomer(billing.api, { billingMethod: 'daily', discount: 10 });
    const at = '2026-11-20T08:00:00.000Z';
    for (const siteId of [billing.api.site.id, billing.api.site.id, other.id])
      await charge(customerId, { siteId, amountMinor: 333, at });
    await bill();
    expect(await allInvoices(billing.api)).toMatchObject([
      {
        siteId: null,
        amountMinor: 899,
        lines: [
          {},
          {},
          {},
          { rule: 'discount', amountMinor: -67, vatRate: 24 },
          { rule: 'discount', amountMinor: -33, vatRate: 24 },
        ],
      },
    ]);
    const rows = await income();
    expect(rows.map(({ siteId, amountMinor, invoices }) => [siteId, amountMinor, invoices]).sort()).toEqual(
      [
        [billing.api.site.id, 599, 1],
        [other.id, 300, 0],
      ].sort(),
    );
    const { body } = await billing.api.call('GET', '/invoices');
    expect(body['data']).toMatchObject([{ vat: [{ rate: 24, net: 725, vat: 174 }] }]);
  });

  it('brings each product its own income, and a credited line takes it back from its product', async () => {
    const customerId = await addCustomer(billing.api, { billingMethod: 'daily', discount: 10 });
    const at = '2026-11-20T08:00:00.000Z';
    const first = await charge(customerId, { productId: 'first', amountMinor: 1000, at });
    await charge(customerId, { productId: 'second', amountMinor: 400, at });
    await charge(customerId, { productId: 'second', amountMinor: 600, at });
    await bill();
    const byProduct = async () => {
      const report = await billing.api.call('GET', '/reports/income?date.from=2026-11-01&date.to=2026-11-30');
      const rows = IncomeReportSchema.parse(report.body).productReport;
      return Object.fromEntries(
        rows.map(({ productId, amount, invoices }) => [productId, [amount, invoices]]),
      );
    };
    expect(await byProduct()).toEqual({ first: [900, 1], second: [900, 0] });
    const [invoice] = await allInvoices(billing.api);
    const body = { visitIds: [first], outcome: 'nothing', reason: 'another car' };
    const credited = await billing.api.call('POST', `/invoice/${invoice?.id}/credit`, { body });
    expect(credited.status).toBe(303);
    expect(await byProduct()).toEqual({ first: [0, 1], second: [900, 0] });
  });

  it('is made out to the billing ssn, goes by mail and to the publishing system where that is wanted', async () => {
    const customerId = await addCustomer(
      billing.api,
      {
        billingMethod: 'daily',
        billingSsn: '1201603389',
        sendInvoicesToEmail: true,
        sendInvoicesToPublishingSystem: true,
      },
      { email: 'bokhald@example.is', ssn: '5305750209' },
    );
    const { api } = billing;
    const seller = { name: 'Stæðin ehf.', ssn: '5012120380', vatNumber: '98765' };
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { seller, invoiceDueDays: 10 } } });
    const at = '2026-11-20T08:00:00.000Z';
    await charge(customerId, { siteId: api.site.id, plate: 'AB123', amountMinor: 1240, at });
    await bill();
    const pulled = await api.call('GET', '/invoices?publishStatus=draft');
    expect(pulled.body['data']).toMatchObject([
      {
        payer: { ssn: '1201603389' },
        publishStatus: 'draft',
        dueOn: '2026-12-01',
        remoteStatus: 'draft',
        invoiceEmail: 'bokhald@example.is',
      },
    ]);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      to: 'bokhald@example.is',
      kind: 'invoice',
      subject: 'Reikningur nr. 1 – 1.240\u00a0kr.',
    });
    for (const part of [
      '20. nóvember 2026',
      'AB123',
      '1201603389',
      'Samtals: 1.240',
      '(24%): 240',
      'Stæðin ehf.',
      '98765',
      '1. desember 2026',
    ]) {
      expect(mail?.text.replaceAll('\u00a0', ' ')).toContain(part);
    }
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(pulled.body['data']);
    const mark = (publishStatus: string) => api.call('PUT', `/invoice/${id}`, { body: { publishStatus } });
    expect((await mark('completed')).status).toBe(303);
    expect((await mark('draft')).status).toBe(400);
    expect((await api.call('GET', '/invoices?publishStatus=draft')).body['data']).toEqual([]);
  });

  it('is written in the customer’s language; it is not mailed to a customer who does not want it', async () => {
    const fields = { email: 'books@example.com', language: 'en' } as const;
    const wants = await addCustomer(
      billing.api,
      { billingMethod: 'daily', sendInvoicesToEmail: true },
      fields,
    );
    const not = await addCustomer(billing.api, { billingMethod: 'daily' }, fields);
    for (const customerId of [wants, not]) await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await bill();
    expect(await mails()).toMatchObject([
      { subject: expect.stringMatching(/^Invoice no\. \d – ISK.[\d,]+$/) },
    ]);
  });

  it('of a discount of everything is paid already', async () => {
    const customerId = await addCustomer(billing.api, { billingMethod: 'daily', discount: 100 });
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await bill();
    expect(await allInvoices(billing.api)).toMatchObject([{ status: 'paid', amountMinor: 0 }]);
  });
});

describe('what waits', () => {
  it('a charge that comes after its day was billed goes to the next day', async () => {
    const customerId = await addCustomer(billing.api);
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await bill();
    const late = await charge(customerId, { at: '2026-11-20T09:00:00.000Z' });
    expect(await bill()).toMatchObject({ invoices: 0 });
    await charge(customerId, { at: '2026-11-21T09:00:00.000Z' });
    billing.api.wait(DAY_MS);
    expect(await bill()).toMatchObject({ invoices: 1 });
    const [newest] = await allInvoices(billing.api);
    expect(newest).toMatchObject({ periodFrom: '2026-11-21T00:00:00.000Z', lines: [{ visitId: late }, {}] });
  });

  it('charges of days that were never billed are billed day by day', async () => {
    const customerId = await addCustomer(billing.api);
    for (const day of ['17', '18', '18', '20'])
      await charge(customerId, { at: `2026-11-${day}T08:00:00.000Z` });
    expect(await bill()).toMatchObject({ invoices: 3 });
    expect((await allInvoices(billing.api)).map(({ lines }) => lines.length).sort()).toEqual([1, 1, 2]);
  });

  it('charges of a customer whose billing has ended come with the month', async () => {
    const customerId = await addCustomer(billing.api);
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await setMethod(customerId, null);
    expect(await bill()).toMatchObject({ invoices: 0 });
    billing.api.wait(10 * DAY_MS);
    expect(await bill()).toMatchObject({ invoices: 1 });
  });

  it('charges of a customer who is not to be billed wait', async () => {
    const customerId = await addCustomer(billing.api);
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await setMethod(customerId, 'whitelist');
    billing.api.wait(10 * DAY_MS);
    expect(await bill()).toMatchObject({ invoices: 0 });
    await setMethod(customerId, 'monthly');
    expect(await bill()).toMatchObject({ invoices: 1 });
  });
});

const setMethod = (customerId: string, billingMethod: string | null) =>
  billing.api.call('PUT', `/customer/${customerId}`, { body: { options: { billingMethod } } });
