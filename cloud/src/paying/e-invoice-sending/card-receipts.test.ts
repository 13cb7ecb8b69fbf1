import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { oracleJars } from '../../../test/oracles/oracle-jars.ts';
import { brokenRulesOf } from '../../../test/oracles/peppol-rules.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { eInvoiceTable } from '../../records/invoices/e-invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { InvoiceDocuments } from '../invoice-document/invoice-documents.ts';

/** The folder `schematron` of the public repository TS-240-Kortafaerslur of Staðlaráð: its rules are not copied here. */
const RULES = process.env['HLID_TS240_RULES'];

const SELLER = { name: 'Bílahúsið ehf.', ssn: '550101-2020', vatNumber: '12345' };
const TO = { email: 'bokhald@example.is' };
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

const sellWithoutVat = async () => {
  const { vatNumber: _, ...seller } = SELLER;
  await settings({ seller: null });
  await settings({ seller });
};

const documentOf = async (key: string) => {
  const query = new URLSearchParams(BUYER);
  const response = await api.app.request(`/receipt/${key}/company?${query}`);
  return { status: response.status, text: await response.text() };
};
const send = (key: string, body: object = BUYER) =>
  api.call('POST', `/receipt/${key}/company`, { body, token: null });
const queued = () => api.db.read(async (q) => await q.select().from(eInvoiceTable));

const mails = () => api.db.read(async (q) => await q.select().from(mailTable).orderBy(mailTable.createdAt));
/** The only file of a mail. */
async function fileOf(mail: typeof mailTable.$inferSelect | undefined): Promise<string> {
  const [file, ...more] = await new InvoiceDocuments(api.context).files(
    mail?.invoiceId ?? '',
    mail?.company ?? null,
  );
  expect([file?.contentType, more]).toEqual(['application/xml', []]);
  return String(file?.content);
}

const refund = async () => {
  // Mails stand in the order of their time.
  api.wait(1000);
  const invoice = (await allInvoices(api)).find(({ status }) => status === 'paid');
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
    await sellWithoutVat();
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

  it('is mailed with the file for the books, and so is the credit note once the sale is refunded', async () => {
    const key = await paidByCard();
    expect(await send(key, { ...BUYER, ...TO })).toMatchObject({ status: 202, body: { state: 'mailed' } });
    expect(await queued()).toEqual([]);
    const [receipt] = await mails();
    expect(receipt).toMatchObject({ to: TO.email, kind: 'receipt', company: { ssn: BUYER.ssn } });
    expect(receipt?.subject).toContain('Kvittun');
    expect(await fileOf(receipt)).toBe((await documentOf(key)).text);
    await refund();
    const [, note, ...more] = await mails();
    expect(more).toEqual([]);
    expect(note).toMatchObject({ to: TO.email, kind: 'receipt', company: receipt?.company });
    expect(note?.subject).toMatch(/^Kreditreikningur nr\. 2 – -1\.000/);
    const xml = await fileOf(note);
    expect(xml).toContain('<cbc:CreditNoteTypeCode>461</cbc:CreditNoteTypeCode>');
    expect(xml).toMatch(/<cac:InvoiceDocumentReference>\s*<cbc:ID>1</);
    expect(xml).toContain('<cbc:PayableAmount currencyID="ISK">0</cbc:PayableAmount>');
  });

  it('has its credit note mailed to each company once, however often the receipt was', async () => {
    const key = await paidByCard();
    for (const email of [TO.email, TO.email, 'annar@example.is']) await send(key, { ...BUYER, email });
    await refund();
    const notes = (await mails()).filter(({ subject }) => subject.startsWith('Kreditreikningur'));
    expect(notes.map(({ to }) => to).sort()).toEqual(['annar@example.is', TO.email]);
  });

  it('is mailed five times a day at most, and not where the site does not send them', async () => {
    const key = await paidByCard();
    for (let n = 0; n < 5; n++) expect((await send(key, { ...BUYER, ...TO })).status).toBe(202);
    expect((await send(key, { ...BUYER, ...TO })).status).toBe(429);
    await settings({ sendsCardReceipts: null });
    expect((await send(key, { ...BUYER, ...TO })).status).toBe(409);
    expect(await mails()).toHaveLength(5);
  });

  it('is mailed from the form too', async () => {
    const key = await paidByCard();
    const sendForm = async (email: string) => {
      const body = new URLSearchParams({ ...BUYER, email });
      const path = `/receipt/${key}/company-form?lang=en`;
      const response = await api.app.request(path, { method: 'POST', body });
      return { status: response.status, text: await response.text() };
    };
    const wrong = await sendForm('nobody');
    expect([wrong.status, wrong.text.includes('value="nobody"')]).toEqual([400, true]);
    const sent = await sendForm(TO.email);
    expect([sent.status, sent.text.includes(`is on its way to ${TO.email}`)]).toEqual([200, true]);
    expect((await mails()).map(({ to }) => to)).toEqual([TO.email]);
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
    it('keeps to TS 240, and so does its credit note, with and without a VAT number', async () => {
      const documents = new Map<string, string>();
      for (const vat of ['with', 'without'] as const) {
        api.wait(1000);
        if (vat === 'without') await sellWithoutVat();
        await send(await paidByCard(), { ...BUYER, ...TO });
        await refund();
        const [receipt, note] = (await mails()).slice(-2);
        documents.set(`receipt-${vat}`, await fileOf(receipt));
        documents.set(`note-${vat}`, await fileOf(note));
      }
      documents.set('wrong', (documents.get('note-with') ?? '').replace('>48<', '>42<'));
      const stylesheets = ['EN-validate-receipt.xsl', 'STADLAR-validate-receipt.xsl'].map(
        (name) => `${RULES}/${name}`,
      );
      expect(Object.fromEntries(await brokenRulesOf(jars.folder, stylesheets, documents))).toEqual({
        'receipt-with': [],
        'note-with': [],
        'receipt-without': [],
        'note-without': [],
        wrong: expect.arrayContaining(['TS240-R-002']),
      });
    });
  }
});
