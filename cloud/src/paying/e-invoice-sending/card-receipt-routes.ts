import { nowUtc } from '@hlid/node/clock';
import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { INVOICE_PARTY_SHAPE } from '@hlid/protocol/base/invoice-party';
import { DEFAULT_LANGUAGE, type Language, LanguageSchema } from '@hlid/protocol/base/language';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { createRoute, z } from '@hono/zod-openapi';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import {
  conflict,
  ErrorBodySchema,
  notFound,
  REFUSALS,
  tooManyRequests,
} from '../../platform/http/errors.ts';
import { SsnSchema } from '../../platform/http/input-fields.ts';
import { FORM_POLICY } from '../../platform/http/page-style.ts';
import { xmlAnswer } from '../../platform/http/paper-form.ts';
import { PAPER_HEADERS } from '../../platform/http/paper-page.ts';
import { json, jsonBody, READ_REFUSALS, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findEInvoice } from '../../records/invoices/e-invoice-store.ts';
import { E_INVOICE_STATES } from '../../records/invoices/e-invoice-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { InvoiceDocuments } from '../invoice-document/invoice-documents.ts';
import { findPaidByCard, type PaidByCard } from '../receipts/paid-by-card.ts';
import { mailCardReceipt, sendCardReceipt } from './card-receipts.ts';
import { type CompanyAnswer, companyPage } from './company-page.ts';

/** One address may try so often within 15 minutes: people type a kennitala wrong, and scripts try many. */
const TRIES = 30;

const ParamsSchema = z.object({
  key: z
    .string()
    .max(64)
    .openapi({ param: { name: 'key', in: 'path' }, example: 'VwR0m3rT8Jq1xkZ5cY2b7A' }),
});

const BUYER = { ssn: SsnSchema, name: NameSchema };
const ELECTRONIC_ADDRESS = INVOICE_PARTY_SHAPE.electronicAddress;

const BuyerSchema = z
  .strictObject({ ...BUYER, electronicAddress: ELECTRONIC_ADDRESS.nullable().default(null) })
  .meta({ id: 'ReceiptBuyer', example: { ssn: '530575-0209', name: 'Æðey ehf.' } });

const SendSchema = z
  .strictObject({
    ...BuyerSchema.shape,
    email: MailAddressSchema.nullable()
      .default(null)
      .describe('The receipt goes there by mail, with the document as a file; null: over the network.'),
    language: LanguageSchema.default(DEFAULT_LANGUAGE).describe('Of the mail.'),
  })
  .meta({
    id: 'ReceiptToCompany',
    example: { ssn: '530575-0209', name: 'Æðey ehf.', email: 'bokhald@example.is' },
  });

const showRoute = createRoute({
  method: 'get',
  path: '/receipt/{key}/company',
  tags: ['Receipts'],
  summary: 'Show the receipt of a card payment as an electronic document for a company',
  description:
    'UBL of type 461 by the draft of TS 240 of July 2026, for the books of a company whose driver has paid by card. Only ' +
    'where the site sends them (`sendsCardReceipts`).',
  request: { params: ParamsSchema, query: z.object(BUYER) },
  responses: {
    200: { description: 'The receipt', content: { 'application/xml': { schema: z.string() } } },
    ...REFUSALS.input,
    ...REFUSALS.conflict,
    ...REFUSALS.tooMany,
    ...READ_REFUSALS,
  },
});

const sendRoute = createRoute({
  method: 'post',
  path: '/receipt/{key}/company',
  tags: ['Receipts'],
  summary: 'Send the receipt of a card payment to a company',
  description:
    'Over the network, by the access point of the site, once; or by mail. For anybody with the address of the receipt. What ' +
    'takes the payment back later goes there too.',
  request: { params: ParamsSchema, body: jsonBody(SendSchema) },
  responses: {
    202: {
      description: 'It will be sent',
      content: json(
        z
          .strictObject({
            state: z.enum([...E_INVOICE_STATES, 'mailed']).describe('`mailed`: the mail will be sent.'),
          })
          .meta({ id: 'ReceiptOnItsWay' }),
      ),
    },
    ...REFUSALS.conflict,
    ...REFUSALS.tooMany,
    ...WRITE_REFUSALS,
  },
});

const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const LangQuerySchema = z.object({ lang: LanguageSchema.default(DEFAULT_LANGUAGE) });

const formRoute = createRoute({
  method: 'get',
  path: '/receipt/{key}/company-form',
  tags: ['Receipts'],
  summary: 'Show the form by which a driver sends the receipt to the own company',
  description: 'For anybody with the address of the receipt, which leads here; no login, and no script.',
  request: { params: ParamsSchema, query: LangQuerySchema },
  responses: { 200: page('The form'), ...REFUSALS.input, ...REFUSALS.tooMany, ...READ_REFUSALS },
});

const formSentRoute = createRoute({
  method: 'post',
  path: '/receipt/{key}/company-form',
  tags: ['Receipts'],
  summary: 'Send the receipt of a card payment to a company, from the form',
  request: {
    params: ParamsSchema,
    query: LangQuerySchema,
    body: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: z.object({
            name: z.string().max(1000),
            ssn: z.string().max(100),
            email: z.string().max(1000).default(''),
          }),
          example: { name: 'Æðey ehf.', ssn: '530575-0209', email: 'bokhald@example.is' },
        },
      },
    },
  },
  responses: {
    200: page('It will be sent'),
    400: {
      description: 'The form again, since the name or the national ID is wrong; or an invalid form',
      content: { 'text/html': { schema: z.string() }, ...json(ErrorBodySchema) },
    },
    409: page('The form again, since it cannot be sent'),
    ...REFUSALS.tooMany,
    ...READ_REFUSALS,
  },
});

export function cardReceiptRoutes(context: CloudContext) {
  const { db, clock } = context;
  const documents = new InvoiceDocuments(context);
  const wait = async (c: Parameters<typeof addressOf>[0]) => {
    const limits = [{ key: `company-receipt ${addressOf(c)}`, limit: TRIES }];
    return await db.write(({ q }) => countAttempt(q, limits, nowUtc(clock)));
  };
  return createRouter()
    .openapi(showRoute, async (c) => {
      const { key } = c.req.valid('param');
      const retryAfter = await wait(c);
      if (retryAfter !== null) return tooManyRequests(c, retryAfter);
      const found = await db.read((q) => findPaidByCard(q, key));
      if (!found.ok) return refused(c, found);
      const buyer = { ...c.req.valid('query'), electronicAddress: null };
      const receipt = await documents.cardReceipt(found.invoiceId, buyer);
      if (receipt === null) return notFound(c, 'receipt');
      if (!receipt.ok) return conflict(c, ...receipt.mistakes);
      const { ublDocument } = await import('../invoice-document/e-invoice/ubl.ts');
      return xmlAnswer(c, ublDocument(receipt.invoice), `TS240 ${receipt.invoice.number}`);
    })
    .openapi(sendRoute, async (c) => {
      const { key } = c.req.valid('param');
      const retryAfter = await wait(c);
      if (retryAfter !== null) return tooManyRequests(c, retryAfter);
      const { email, language, ...company } = c.req.valid('json');
      if (email !== null) {
        const mailed = await mailCardReceipt(db, key, { company, email, language }, nowUtc(clock));
        if (mailed.ok) return c.json({ state: 'mailed' as const }, 202);
        return 'mistake' in mailed ? refused(c, mailed) : tooManyRequests(c, mailed.retryAfterSeconds);
      }
      const sent = await sendCardReceipt(db, key, company, nowUtc(clock));
      if (!sent.ok) return refused(c, sent);
      const row = await db.read((q) => findEInvoice(q, sent.invoiceId));
      return c.json({ state: row?.state ?? ('waiting' as const) }, 202);
    })
    .openapi(formRoute, async (c) => {
      const { key } = c.req.valid('param');
      const retryAfter = await wait(c);
      if (retryAfter !== null) return tooManyRequests(c, retryAfter);
      const found = await db.read((q) => findPaidByCard(q, key));
      if (!found.ok && found.mistake === 'not-found') return notFound(c, 'receipt');
      const answer = found.ok
        ? null
        : ({ kind: 'refused', why: 'off', name: '', ssn: '', email: '' } as const);
      return c.html(await pageOf(c.req.valid('query').lang, key, answer), 200, FORM_HEADERS);
    })
    .openapi(formSentRoute, async (c) => {
      const { key } = c.req.valid('param');
      const { lang } = c.req.valid('query');
      const typed = c.req.valid('form');
      const retryAfter = await wait(c);
      if (retryAfter !== null) return tooManyRequests(c, retryAfter);
      const asked = SendSchema.safeParse({ ...typed, email: typed.email.trim() || null, language: lang });
      if (!asked.success) {
        const wrong = { kind: 'refused', why: 'wrong', ...typed } as const;
        return c.html(await pageOf(lang, key, wrong), 400, FORM_HEADERS);
      }
      const { email, language, ...company } = asked.data;
      const at = nowUtc(clock);
      const sent =
        email === null
          ? await sendCardReceipt(db, key, company, at)
          : await mailCardReceipt(db, key, { company, email, language }, at);
      if (sent.ok) {
        const done = { kind: 'sent', name: email ?? company.name } as const;
        return c.html(await pageOf(lang, key, done), 200, FORM_HEADERS);
      }
      if (!('mistake' in sent)) return tooManyRequests(c, sent.retryAfterSeconds);
      if (sent.mistake === 'not-found') return notFound(c, 'receipt');
      const why = sent.mistake.code === 'e-invoice-under-way' ? 'sentBefore' : 'off';
      return c.html(await pageOf(lang, key, { kind: 'refused', why, ...typed }), 409, FORM_HEADERS);
    });

  async function pageOf(language: Language, key: string, answer: CompanyAnswer | null) {
    const isTraining = await db.read(isTrainingDatabase);
    return companyPage({ language, back: `../${encodeURIComponent(key)}`, isTraining, answer });
  }
}

const FORM_HEADERS = { ...PAPER_HEADERS, 'Content-Security-Policy': FORM_POLICY };

function refused(c: Parameters<typeof conflict>[0], { mistake: why }: Extract<PaidByCard, { ok: false }>) {
  return why === 'not-found' ? notFound(c, 'receipt') : conflict(c, why);
}
