import { nowUtc } from '@hlid/node/clock';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { createRoute, z } from '@hono/zod-openapi';
import { readableRows } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS } from '../../platform/http/errors.ts';
import { PAPER_HEADERS } from '../../platform/http/paper-page.ts';
import { IdParamSchema, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { findInvoiceDocument } from './find-document.ts';
import { invoicePage } from './invoice-page.ts';

const documentRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}/document',
  tags: ['Invoices'],
  summary: 'Show an invoice as a page to print',
  description: 'With all its lines, the VAT by rate and the seller. Browsers print it, or save it as PDF.',
  request: {
    params: IdParamSchema,
    query: z.object({
      lang: OfficeLanguageSchema.optional().describe('Default: the language of the invoice.'),
    }),
  },
  responses: {
    200: { description: 'The invoice', content: { 'text/html': { schema: z.string() } } },
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

export function documentRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl' | 'cardGateways'>) {
  const { db } = context;
  const links = new InvoiceLinks(context);
  return createRouter().openapi(documentRoute, async (c) => {
    const own = readableRows(callerOf(c, 'account', 'role'));
    const document = await db.read((q) =>
      findInvoiceDocument(q, c.req.valid('param').id, own, nowUtc(context.clock)),
    );
    if (document === null) return notFound(c, 'invoice');
    const { lang = document.invoice.language } = c.req.valid('query');
    const { id } = document.invoice;
    const payAt = (await db.read((q) => links.of(q, id, lang)))?.url ?? null;
    const address = `${context.publicUrl()}/console/money/invoices/${id}`;
    return c.html(invoicePage({ ...document, payAt }, lang, address), 200, PAPER_HEADERS);
  });
}
