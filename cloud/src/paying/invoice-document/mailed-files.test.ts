import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { startSmtpServer } from '../../../test/smtp-server.ts';
import { mailJob } from '../../people/mail/send-mail.ts';
import { smtpMailer } from '../../people/mail/smtp-mailer.ts';
import { InvoiceDocuments } from './invoice-documents.ts';

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
};
const PLACE = { street: 'Hafnarstræti 5', postcode: '600', city: 'Akureyri', country: 'IS' };

let api: TestApi;
let server: Awaited<ReturnType<typeof startSmtpServer>>;
beforeEach(async () => {
  api = await createTestApi();
  server = await startSmtpServer();
});
afterEach(async () => {
  await server.stop();
  await api.close();
});

/** Bills a customer of this place, and sends the mail. @returns the mail as it came */
async function billedMail(place: object): Promise<string> {
  await bill(place);
  await sendMail();
  return server.received[0]?.raw ?? '';
}

async function bill(place: object): Promise<void> {
  const options = { billingMethod: 'daily', sendInvoicesToEmail: true, ...place } as const;
  const customerId = await addCustomer(api, options, { ssn: '5305750209', email: 'bokhald@example.is' });
  await settle(api, { customerId, paymentStatus: 'company-invoice', amountMinor: 1240 });
  api.wait(48 * 3_600_000);
  expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
}

async function sendMail(): Promise<void> {
  const { db, clock, context } = api;
  const documents = new InvoiceDocuments(context);
  const mailer = smtpMailer({ url: server.url, from: 'Hlið <hlid@example.is>' });
  const log = pino({ level: 'silent' });
  const filesOf = async ({ invoiceId }: { invoiceId: string | null }) =>
    invoiceId === null ? [] : await documents.files(invoiceId);
  const job = mailJob({ db, clock, log, mailer, filesOf });
  await job.work({ now: api.now(), signal: new AbortController().signal });
  mailer.close();
}

it('an invoice goes by mail with a file for people, and one for programs where it has what they need', async () => {
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { seller: SELLER } } });
  const raw = await billedMail(PLACE);
  expect(raw).toContain('application/pdf');
  expect(raw).toContain('application/xml');
  const pdf = /application\/pdf[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? '';
  expect(Buffer.from(pdf, 'base64').toString('latin1')).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
});

it('without those it goes with the file for people alone', async () => {
  const raw = await billedMail({});
  expect(raw).toContain('application/pdf');
  expect(raw).not.toContain('application/xml');
});

it('what takes a mailed invoice back goes to the same address, with its files', async () => {
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { seller: SELLER } } });
  await bill(PLACE);
  const [invoice] = await allInvoices(api);
  const body = { visitIds: [invoice?.lines[0]?.visitId], outcome: 'nothing', reason: 'Another car' };
  expect((await api.call('POST', `/invoice/${invoice?.id}/credit`, { body })).status).toBe(303);
  await sendMail();
  expect(server.received.map(({ to }) => to)).toEqual([['bokhald@example.is'], ['bokhald@example.is']]);
  const note = server.received.find(({ raw }) => raw.includes('Kreditreikningur'))?.raw ?? '';
  const xml = /application\/xml[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(note)?.[1] ?? '';
  expect(Buffer.from(xml, 'base64').toString()).toContain('<cbc:CreditNoteTypeCode>381<');
  expect(note).toContain('application/pdf');
});
