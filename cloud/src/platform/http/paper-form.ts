import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Paper } from './paper.ts';
import { PAPER_HEADERS } from './paper-page.ts';

/** The forms of a paper. */
export const PaperFormSchema = z.enum(['html', 'pdf']).describe('Default: what `Accept` asks for.');
type PaperForm = z.infer<typeof PaperFormSchema>;

const TYPES = { html: 'text/html', pdf: 'application/pdf' } as const;

/** What a route answers with that shows a paper. */
export const PAPER_CONTENT = {
  [TYPES.html]: { schema: z.string() },
  [TYPES.pdf]: { schema: z.string().meta({ format: 'binary' }) },
};

/** The form of a paper that a caller requests: by the query, else by `Accept`, else a page. */
export function paperForm(c: Context, asked: PaperForm | undefined): PaperForm {
  if (asked !== undefined) return asked;
  const type = accepts(c, { header: 'Accept', supports: Object.values(TYPES), default: TYPES.html });
  return type === TYPES.pdf ? 'pdf' : 'html';
}

/** Answers with a paper as a PDF file. @param madeAt the time in the file, such as when an invoice was issued */
export async function pdfAnswer(c: Context, paper: Paper, madeAt: UtcTime) {
  // Loaded when it is first needed: the cloud starts faster without it.
  const { paperPdf } = await import('./paper-pdf.ts');
  return c.body(await paperPdf(paper, new Date(madeAt)), 200, {
    'Content-Type': TYPES.pdf,
    'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(`${paper.title}.pdf`)}`,
    'X-Robots-Tag': PAPER_HEADERS['X-Robots-Tag'],
    'Cache-Control': PAPER_HEADERS['Cache-Control'],
    Vary: 'Accept',
  });
}
