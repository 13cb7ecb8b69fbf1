import { randomUUID } from 'node:crypto';
import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { pdfTexts } from '../../../test/pdf-text.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { markAsTraining } from '../../records/training/training-store.ts';

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
};
const PLACE = { street: 'Hafnarstræti 5', postcode: '600', city: 'Akureyri', country: 'IS' };

/** A document in one form and language. */
interface Made {
  name: string;
  language: Language;
  text: string;
}

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  const settings = { seller: SELLER, sendsCardReceipts: true };
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body: { settings } })).status).toBe(303);
});
afterEach(() => api.close());

async function textOf(path: string): Promise<string> {
  const response = await api.app.request(path, { headers: { authorization: `Bearer ${api.operator}` } });
  expect(response.status, path).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPdf = response.headers.get('content-type') === 'application/pdf';
  return isPdf ? pdfTexts(bytes).join('\n') : Buffer.from(bytes).toString('utf8');
}

/** Every kind of document in every form and language, and every mail that goes with them. */
async function everyDocument(): Promise<Made[]> {
  const made: Made[] = [];
  const add = async (name: string, language: Language, path: string) =>
    made.push({ name: `${name} ${language}`, language, text: await textOf(path) });
  const customerId = await addCustomer(
    api,
    { billingMethod: 'daily', sendInvoicesToEmail: true, ...PLACE },
    { ssn: '5305750209', email: 'bokhald@example.is' },
  );
  await settle(api, { plate: 'ABX12', customerId, paymentStatus: 'company-invoice', amountMinor: 1240 });
  api.wait(48 * 3_600_000);
  expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  const { id: visitId } = await api.visit({ plate: 'KZD82' });
  const payment = samplePayment({ visitId, product: { id: randomUUID(), version: 1, vatRate: 24 } });
  await reportPayment(api, payment);
  const body = { email: 'jon@example.is', language: 'is' };
  expect((await api.call('POST', `/visit/${visitId}/receipt`, { body })).status).toBe(202);
  for (const { id, customerId: payer, lines } of await allInvoices(api)) {
    const reason = 'Not his car';
    const visitIds = lines.map((line) => line.visitId);
    const done =
      payer === null
        ? await api.call('POST', `/invoice/${id}/refund`, { body: { reason } })
        : await api.call('POST', `/invoice/${id}/credit`, { body: { visitIds, outcome: 'nothing', reason } });
    expect(done.status).toBe(303);
  }
  for (const { id, amountMinor, customerId: payer } of await allInvoices(api)) {
    const name = amountMinor < 0 ? 'credit note' : 'invoice';
    for (const language of ['is', 'en'] as const) {
      for (const form of payer === null ? ['html', 'pdf'] : ['html', 'pdf', 'xml']) {
        await add(`${name} ${form}`, language, `/invoice/${id}/document?as=${form}&lang=${language}`);
      }
    }
  }
  for (const language of LANGUAGES) {
    for (const form of ['html', 'pdf']) {
      await add(`receipt ${form}`, language, `/receipt/${payment.receiptKey}?as=${form}&lang=${language}`);
    }
  }
  const company = new URLSearchParams({ ssn: '5305750209', name: 'Æðey ehf.' });
  await add('company receipt', 'is', `/receipt/${payment.receiptKey}/company?${company}`);
  for (const mail of await api.db.read(async (q) => await q.select().from(mailTable))) {
    const { kind, subject, text, html } = mail;
    for (const [part, content] of Object.entries({ subject, text, html })) {
      if (content !== null) made.push({ name: `${kind} mail, ${part}`, language: 'is', text: content });
    }
  }
  return made;
}

const namesOf = (made: readonly Made[]) => [...new Set(made.map(({ name }) => name.replace(/ \w\w$/, '')))];

describe('a document or mail', () => {
  const KINDS = [
    'invoice html',
    'invoice pdf',
    'invoice xml',
    'credit note html',
    'credit note pdf',
    'credit note xml',
    'receipt html',
    'receipt pdf',
    'company receipt',
    'receipt mail, subject',
    'receipt mail, text',
    'receipt mail, html',
    'invoice mail, subject',
    'invoice mail, text',
  ];

  it('of a simulated car park says so in its language', async () => {
    await api.db.write(({ q }) => markAsTraining(q, api.now()));
    const made = await everyDocument();
    expect(namesOf(made)).toEqual(expect.arrayContaining(KINDS));
    const unmarked = made.filter(({ language, text }) => !text.includes(TRAINING_DOCUMENT[language]));
    expect(unmarked.map(({ name }) => name)).toEqual([]);
    const ubl = made.filter(({ text }) => text.includes('<cbc:ID>'));
    for (const { text, language } of ubl) {
      expect(text).toContain(`<cbc:Note>${TRAINING_DOCUMENT[language]}</cbc:Note>`);
    }
  });

  it('of a real one never does', async () => {
    const made = await everyDocument();
    expect(namesOf(made)).toEqual(expect.arrayContaining(KINDS));
    const marks = Object.values(TRAINING_DOCUMENT);
    const marked = made.filter(({ text }) => marks.some((mark) => text.includes(mark)));
    expect(marked.map(({ name }) => name)).toEqual([]);
    // The text of a PDF file can be read, so that silence is a result.
    const pdf = made.find(({ name }) => name === 'receipt pdf en');
    expect(pdf?.text).toContain('KZD82');
  });
});

it('the books of a simulated car park are shown, and no file is made of them', async () => {
  const get = async (query: string) => (await api.call('GET', `/bookkeeping/2026-10${query}`)).status;
  expect(await get('?as=csv')).toBe(200);
  await api.db.write(({ q }) => markAsTraining(q, api.now()));
  expect(await get('')).toBe(200);
  for (const form of ['csv', 'datev']) expect(await get(`?as=${form}`)).toBe(409);
});
