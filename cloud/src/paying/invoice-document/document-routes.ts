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
import { PAPER_HEADERS, type PaperTools, paperHtml } from '../../platform/http/paper-page.ts';
import { IdParamSchema, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { InvoiceDocuments } from './invoice-documents.ts';
import type { InvoicePaper } from './invoice-paper.ts';

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
  const documents = new InvoiceDocuments(context);
  return createRouter().openapi(documentRoute, async (c) => {
    const own = readableRows(callerOf(c, 'account', 'role'));
    const { lang, as } = c.req.valid('query');
    const found = await documents.find(c.req.valid('param').id, own, lang);
    if (found === null) return notFound(c, 'invoice');
    const { paper, madeAt } = found;
    switch (paperForm(c, as, INVOICE_FORMS)) {
      case 'html':
        return c.html(paperHtml(paper, toolsOf(paper)), 200, PAPER_HEADERS);
      case 'pdf':
        return await pdfAnswer(c, paper, madeAt);
      case 'xml': {
        const electronic = found.electronic();
        if (!electronic.ok) return conflict(c, ...electronic.mistakes);
        const { ublDocument } = await import('./e-invoice/ubl.ts');
        return xmlAnswer(c, ublDocument(electronic.invoice), paper.title);
      }
    }
  });
}

function toolsOf({ language }: InvoicePaper): PaperTools {
  const { print, file, languages } = INVOICE_WORDS[language];
  return {
    print,
    file: { text: file, url: `?lang=${language}&as=pdf` },
    languages: { name: languages, all: OfficeLanguageSchema.options },
  };
}
