import { nowUtc } from '@hlid/node/clock';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { createRoute, z } from '@hono/zod-openapi';
import { INVOICE_WORDS } from '../../money/invoices/invoice-words.ts';
import { readableRows } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS } from '../../platform/http/errors.ts';
import { PAPER_CONTENT, PaperFormSchema, paperForm, pdfAnswer } from '../../platform/http/paper-form.ts';
import { PAPER_HEADERS, paperHtml } from '../../platform/http/paper-page.ts';
import { IdParamSchema, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { findInvoiceDocument } from './find-document.ts';
import { invoicePaper } from './invoice-paper.ts';

const documentRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}/document',
  tags: ['Invoices'],
  summary: 'Show an invoice as a page or as a PDF file',
  description:
    'With all its lines, the VAT by rate and the seller. `Accept` chooses the form: a page, or a tagged PDF file (PDF/UA). ' +
    'Links, which have no `Accept` of their own, choose it by `as`.',
  request: {
    params: IdParamSchema,
    query: z.object({
      lang: OfficeLanguageSchema.optional().describe('Default: the language of the invoice.'),
      as: PaperFormSchema.optional(),
    }),
  },
  responses: {
    200: { description: 'The invoice', content: PAPER_CONTENT },
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
    const { lang = document.invoice.language, as } = c.req.valid('query');
    const { id, issuedAt, createdAt } = document.invoice;
    const payAt = (await db.read((q) => links.of(q, id, lang)))?.url ?? null;
    const address = `${context.publicUrl()}/console/money/invoices/${id}`;
    const paper = invoicePaper({ ...document, payAt }, lang, address);
    if (paperForm(c, as) === 'pdf') return await pdfAnswer(c, paper, issuedAt ?? createdAt);
    const { print, file, languages } = INVOICE_WORDS[lang];
    const tools = {
      print,
      file: { text: file, url: `?lang=${lang}&as=pdf` },
      languages: { name: languages, all: OfficeLanguageSchema.options },
    };
    return c.html(paperHtml(paper, tools), 200, PAPER_HEADERS);
  });
}
