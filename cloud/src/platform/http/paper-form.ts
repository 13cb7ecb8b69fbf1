import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Paper } from './paper.ts';
import { PAPER_HEADERS } from './paper-page.ts';

const TYPES = { html: 'text/html', pdf: 'application/pdf', xml: 'application/xml' } as const;
type PaperForm = keyof typeof TYPES;

const CONTENT = {
  [TYPES.html]: { schema: z.string() },
  [TYPES.pdf]: { schema: z.string().meta({ format: 'binary' }) },
};
const FORM_HELP = 'The form, for links, which have no `Accept` of their own.';

/** A receipt: a page, or a PDF file. */
export const RECEIPT_FORMS = ['html', 'pdf'] as const;
export const ReceiptFormSchema = z.enum(RECEIPT_FORMS).describe(FORM_HELP);
export const RECEIPT_CONTENT = CONTENT;

/** An invoice has a form for programs too. */
export const INVOICE_FORMS = ['html', 'pdf', 'xml'] as const;
export const InvoiceFormSchema = z.enum(INVOICE_FORMS).describe(FORM_HELP);
export const INVOICE_CONTENT = { ...CONTENT, [TYPES.xml]: { schema: z.string() } };

/**
 * The form in which a caller wants a paper: by the query, else by `Accept`.
 *
 * @param forms that it has; the first where the caller says nothing
 */
export function paperForm<Form extends PaperForm>(
  c: Context,
  asked: Form | undefined,
  forms: readonly [Form, ...Form[]],
): Form {
  if (asked !== undefined) return asked;
  const [usual] = forms;
  const supports = forms.map((form) => TYPES[form]);
  const type = accepts(c, { header: 'Accept', supports, default: TYPES[usual] });
  return forms.find((form) => TYPES[form] === type) ?? usual;
}

/** Answers with a paper as a PDF file. @param madeAt the time in the file, such as when an invoice was issued */
export async function pdfAnswer(c: Context, paper: Paper, madeAt: UtcTime) {
  // Loaded when it is first needed: the cloud starts faster without it.
  const { paperPdf } = await import('./paper-pdf.ts');
  return c.body(await paperPdf(paper, new Date(madeAt)), 200, fileHeaders('pdf', paper.title));
}

export function xmlAnswer(c: Context, xml: string, title: string) {
  return c.body(xml, 200, fileHeaders('xml', title));
}

function fileHeaders(form: Exclude<PaperForm, 'html'>, title: string) {
  return {
    'Content-Type': TYPES[form],
    'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(`${title}.${form}`)}`,
    'X-Robots-Tag': PAPER_HEADERS['X-Robots-Tag'],
    'Cache-Control': PAPER_HEADERS['Cache-Control'],
    Vary: 'Accept',
  };
}
