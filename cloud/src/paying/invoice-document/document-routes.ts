import { nowUtc } from '@hlid/node/clock';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { createRoute, z } from '@hono/zod-openapi';
import { INVOICE_WORDS } from '../../money/invoices/invoice-words.ts';
import { readableRows } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, REFUSALS } from '../../platform/http/errors.ts';
import {
  INVOICE_CONTENT,
  INVOICE_FORMS,
  InvoiceFormSchema,
  paperForm,
  pdfAnswer,
  xmlAnswer,
} from '../../platform/http/paper-form.ts';
import { PAPER_HEADERS, paperHtml } from '../../platform/http/paper-page.ts';
import { IdParamSchema, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { eInvoiceOf } from './e-invoice/e-invoice-of.ts';
import { findInvoiceDocument } from './find-document.ts';
import { invoicePaper } from './invoice-paper.ts';

const documentRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}/document',
  tags: ['Invoices'],
  summary: 'Show an invoice as a page, a PDF file, or an electronic invoice',
  description:
    'With all its lines, the VAT by rate and the seller. `Accept` (or `as`) chooses the form: a page; a tagged PDF file ' +
    '(PDF/UA); or UBL 2.1 for programs, in Peppol BIS Billing 3.0 (EN 16931) with the Icelandic rules of TS 236. Each is as ' +
    'the invoice was issued. UBL needs more of seller and buyer than paper does: 409 names what is missing.',
  request: {
    params: IdParamSchema,
    query: z.object({
      lang: OfficeLanguageSchema.optional().describe('Default: the language of the invoice.'),
      as: InvoiceFormSchema.optional(),
    }),
  },
  responses: {
    200: { description: 'The invoice', content: INVOICE_CONTENT },
    ...REFUSALS.input,
    ...REFUSALS.conflict,
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
    const form = paperForm(c, as, INVOICE_FORMS);
    if (form === 'xml') {
      const electronic = eInvoiceOf({ ...document, payAt }, lang);
      if (!electronic.ok) return conflict(c, ...electronic.mistakes);
      const { ublDocument } = await import('./e-invoice/ubl.ts');
      return xmlAnswer(c, ublDocument(electronic.invoice), paper.title);
    }
    if (form === 'pdf') return await pdfAnswer(c, paper, issuedAt ?? createdAt);
    const { print, file, languages } = INVOICE_WORDS[lang];
    const tools = {
      print,
      file: { text: file, url: `?lang=${lang}&as=pdf` },
      languages: { name: languages, all: OfficeLanguageSchema.options },
    };
    return c.html(paperHtml(paper, tools), 200, PAPER_HEADERS);
  });
}
