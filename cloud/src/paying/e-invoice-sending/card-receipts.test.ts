import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { oracleJars } from '../../../test/oracles/oracle-jars.ts';
import { brokenRulesOf } from '../../../test/oracles/peppol-rules.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { eInvoiceTable } from '../../records/invoices/e-invoice-table.ts';

/** The folder `schematron` of the public repository TS-240-Kortafaerslur of Staðlaráð: its rules are not copied here. */
const RULES = process.env['HLID_TS240_RULES'];

const SELLER = { name: 'Bílahúsið ehf.', ssn: '550101-2020', vatNumber: '12345' };
const BUYER = { ssn: '5305750209', name: 'Æðey & synir ehf.' };

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await settings({ seller: SELLER, sendsCardReceipts: true });
});
afterEach(() => api.close());

const settings = async (changes: Json) => {
  const body = { settings: changes };
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body })).status).toBe(303);
};

/** A visit that was paid at the terminal. @returns the key of the receipt */
async function paidByCard(): Promise<string> {
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  const payment = samplePayment({ visitId, product: { id: randomUUID(), version: 1, vatRate: 24 } });
  await reportPayment(api, payment);
  return payment.receiptKey ?? '';
}

const documentOf = async (key: string) => {
  const query = new URLSearchParams(BUYER);
  const response = await api.app.request(`/receipt/${key}/company?${query}`);
  return { status: response.status, text: await response.text() };
};
const send = (key: string, body: object = BUYER) =>
  api.call('POST', `/receipt/${key}/company`, { body, token: null });
const queued = () => api.db.read(async (q) => await q.select().from(eInvoiceTable));

const refund = async () => {
  const [invoice] = await allInvoices(api);
  const body = { reason: 'Not his car' };
  expect((await api.call('POST', `/invoice/${invoice?.id}/refund`, { body })).status).toBe(303);
};

describe('the receipt of a card payment for a company', () => {
  it('is paid in full by card, and says nothing of the card but its brand and last four digits', async () => {
    const { status, text } = await documentOf(await paidByCard());
    expect(status).toBe(200);
    expect(text).toContain('<cbc:CustomizationID>urn:fdc:stadlar.is:kort:1.0</cbc:CustomizationID>');
    expect(text).toContain('<cbc:InvoiceTypeCode>461</cbc:InvoiceTypeCode>');
    expect(text).toContain('<cbc:PrimaryAccountNumberID>************4242</cbc:PrimaryAccountNumberID>');
    expect(text).toContain('<cbc:NetworkID>VISA</cbc:NetworkID>');
    expect(text).toContain('<cbc:PayableAmount currencyID="ISK">0</cbc:PayableAmount>');
    expect(text).toContain('<cbc:EndpointID schemeID="0196">5305750209</cbc:EndpointID>');
    expect(text).toContain('<cbc:RegistrationName>Æðey &amp; synir ehf.</cbc:RegistrationName>');
  });

  it('has the category O where its seller has no VAT number', async () => {
    const { vatNumber: _, ...seller } = SELLER;
    await settings({ seller: null });
    await settings({ seller });
    const { text } = await documentOf(await paidByCard());
    expect(text).toContain('<cbc:TaxAmount currencyID="ISK">0</cbc:TaxAmount>');
    expect(text).not.toContain('PartyTaxScheme');
  });

  it('is not there where the site does not send them, or nothing was paid', async () => {
    const key = await paidByCard();
    await settings({ sendsCardReceipts: null });
    expect((await documentOf(key)).status).toBe(409);
    expect((await send(key)).status).toBe(409);
    expect((await send('no-such-key')).status).toBe(404);
    expect(await queued()).toEqual([]);
  });

  it('is sent once, and what takes the payment back follows it', async () => {
    const key = await paidByCard();
    expect(await send(key)).toMatchObject({ status: 202, body: { state: 'waiting' } });
    expect((await send(key)).status).toBe(409);
    await refund();
    const rows = await queued();
    expect(rows).toHaveLength(2);
    for (const { buyer } of rows) expect(buyer).toEqual({ ...BUYER, electronicAddress: null });
    expect((await allInvoices(api)).map(({ publishStatus }) => publishStatus)).toEqual([null, null]);
  });

  it('is sent from a form that its page leads to, without a script, and once', async () => {
    const key = await paidByCard();
    const pageText = async (path: string) => await (await api.app.request(path)).text();
    expect(await pageText(`/receipt/${key}?lang=en`)).toContain(`/receipt/${key}/company-form?lang=en`);
    expect(await pageText(`/receipt/${key}/company-form?lang=pl`)).toContain('Paragon dla mojej firmy');
    const sendForm = async (form: Record<string, string>) => {
      const response = await api.app.request(`/receipt/${key}/company-form?lang=en`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
      return { status: response.status, text: await response.text() };
    };
    const wrong = await sendForm({ name: '<b>Æðey</b>', ssn: '12' });
    expect([wrong.status, wrong.text.includes('Check the name'), wrong.text.includes('<b>')]).toEqual([
      400,
      true,
      false,
    ]);
    expect(wrong.text).toContain('value="12"');
    expect(await queued()).toEqual([]);
    const sent = await sendForm({ name: BUYER.name, ssn: '530575-0209' });
    expect([sent.status, sent.text.includes('is on its way to Æðey &amp; synir ehf.')]).toEqual([200, true]);
    expect((await queued()).map(({ buyer }) => buyer)).toEqual([{ ...BUYER, electronicAddress: null }]);
    const again = await sendForm(BUYER);
    expect([again.status, again.text.includes('already')]).toEqual([409, true]);
    await settings({ sendsCardReceipts: null });
    expect(await pageText(`/receipt/${key}?lang=en`)).not.toContain('company-form');
  });

  it('needs the national id of a company, and is not tried without end', async () => {
    const key = await paidByCard();
    expect((await send(key, { ...BUYER, ssn: '53057' })).status).toBe(400);
    const tries = await Promise.all(Array.from({ length: 40 }, () => send('no-such-key')));
    expect(tries.some(({ status }) => status === 429)).toBe(true);
  });

  const jars = oracleJars();
  if (!jars.ok) it.skip(`keeps to TS 240: ${jars.missing}`);
  else if (RULES === undefined) it.skip('keeps to TS 240: HLID_TS240_RULES names no folder with its rules');
  else {
    it('keeps to TS 240', async () => {
      const key = await paidByCard();
      const documents = new Map([['receipt', (await documentOf(key)).text]]);
      const stylesheets = ['EN-validate-receipt.xsl', 'STADLAR-validate-receipt.xsl'].map(
        (name) => `${RULES}/${name}`,
      );
      expect(Object.fromEntries(await brokenRulesOf(jars.folder, stylesheets, documents))).toEqual({
        receipt: [],
      });
    });
  }
});
