import { nowUtc } from '@hlid/node/clock';
import { DEFAULT_LANGUAGE, LanguageSchema } from '@hlid/protocol/base/language';
import { createRoute, z } from '@hono/zod-openapi';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import { actorOf, type CloudContext, type CoreContext } from '../../platform/http/cloud-env.ts';
import { REFUSALS, refuse, tooManyRequests } from '../../platform/http/errors.ts';
import {
  paperForm,
  pdfAnswer,
  RECEIPT_CONTENT,
  RECEIPT_FORMS,
  ReceiptFormSchema,
} from '../../platform/http/paper-form.ts';
import { PAPER_HEADERS } from '../../platform/http/paper-page.ts';
import { IdParamSchema, json, jsonBody, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { findReceipt } from './find-receipt.ts';
import { mailReceipt, ReceiptRequestSchema } from './mail-receipt.ts';
import { isBooked, missingReceiptPage, receiptPage, receiptPaper } from './receipt-page.ts';

/** The most wrong addresses within 15 minutes: a key of 128 bits cannot be guessed. */
const MISSES = 300;

const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });

const pageRoute = createRoute({
  method: 'get',
  path: '/receipt/{key}',
  tags: ['Receipts'],
  summary: 'Show the receipt of a payment as a page or as a PDF file',
  description:
    'For anybody with its address, for example from the QR code at the kiosk; no login. `Accept` or `as` chooses the form. ' +
    'A payment that is not booked has a page only.',
  request: {
    params: z.object({
      key: z
        .string()
        .max(64)
        .openapi({ param: { name: 'key', in: 'path' }, example: 'VwR0m3rT8Jq1xkZ5cY2b7A' }),
    }),
    query: z.object({
      lang: LanguageSchema.optional().openapi({ example: 'en' }),
      as: ReceiptFormSchema.optional(),
    }),
  },
  responses: {
    200: { description: 'The receipt', content: RECEIPT_CONTENT },
    404: page('No receipt, or its site has not reported it yet'),
    ...REFUSALS.input,
    ...REFUSALS.tooMany,
  },
});

const mailRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/receipt',
  tags: ['Visits'],
  summary: 'Send the receipt of a visit by mail',
  description:
    'Kiosks: for visits that ended or were paid within 24 hours. At most five a day for each visit.',
  request: { params: IdParamSchema, body: jsonBody(ReceiptRequestSchema) },
  responses: {
    202: {
      description: 'Queued',
      content: json(z.strictObject({ mailId: z.string() }).meta({ id: 'ReceiptMailed' })),
    },
    ...WRITE_REFUSALS,
    ...REFUSALS.tooMany,
  },
});

export function receiptRoutes({ db, clock, publicUrl }: CoreContext & Pick<CloudContext, 'publicUrl'>) {
  return createRouter()
    .openapi(pageRoute, async (c) => {
      const { key } = c.req.valid('param');
      const { lang, as } = c.req.valid('query');
      const receipt = await db.read((q) => findReceipt(q, key, nowUtc(clock)));
      if (receipt !== null) {
        const { language, changedAt } = receipt.payment;
        const address = `${publicUrl()}/receipt/${key}`;
        if (!isBooked(receipt) || paperForm(c, as, RECEIPT_FORMS) === 'html') {
          return c.html(receiptPage(receipt, lang ?? language, address), 200, PAPER_HEADERS);
        }
        const paper = receiptPaper(receipt, lang ?? language, address);
        return await pdfAnswer(c, paper, changedAt);
      }
      const limits = [{ key: `receipt-address ${addressOf(c)}`, limit: MISSES }];
      const wait = await db.write(({ q }) => countAttempt(q, limits, nowUtc(clock)));
      if (wait !== null) return tooManyRequests(c, wait);
      const isTraining = await db.read(isTrainingDatabase);
      return c.html(missingReceiptPage(lang ?? DEFAULT_LANGUAGE, isTraining), 404, PAPER_HEADERS);
    })
    .openapi(mailRoute, async (c) => {
      const { id } = c.req.valid('param');
      const mailed = await mailReceipt(db, actorOf(c, clock), id, c.req.valid('json'));
      if (mailed.ok) return c.json({ mailId: mailed.mailId }, 202);
      if (mailed.reason === 'too-many') return tooManyRequests(c, mailed.retryAfterSeconds);
      return refuse(c, 'visit', mailed);
    });
}
