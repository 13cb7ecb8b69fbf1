import { LANGUAGE_NAMES, type Language } from '@hlid/protocol/base/language';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { PRINT_SCRIPT, RECEIPT_POLICY, RECEIPT_STYLE } from './page-style.ts';
import type { Fact, Paper } from './paper.ts';
import { qrSquares, qrSvg } from './qr-svg.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

interface PaperHead {
  /** The title of the window, and of the file when it is saved as PDF. */
  title: string;
  /** Over everything else: that the page is of training. */
  mark?: string | null | undefined;
  heading: string;
  /** A `data:` address: pictures are not loaded. Absent: ours. */
  logo?: string | undefined;
  /** The address of the page: on paper it is a QR code. */
  address?: string | null | undefined;
  /** The name of the button that prints; null: it is not to be printed. */
  print: string | null;
  /** The others in which it can be read; null: the language stays as it is. */
  languages: { name: string; all: readonly Language[] } | null;
}

export const PAPER_HEADERS = {
  'Content-Security-Policy': RECEIPT_POLICY,
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'private, no-store',
} as const;

/** A page with one column: a receipt, an invoice, a short form. */
export function paperPage(language: Language, head: PaperHead, body: Html): Html {
  const { title, mark, heading, logo, address, print, languages } = head;
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <style>${raw(RECEIPT_STYLE)}</style>
  </head>
  <body>
    <main>
      ${mark == null ? '' : html`<p class="training"><strong>${mark}</strong></p>`}
      <header>
        ${logo === undefined ? OUR_MARK : html`<img class="logo" src="${logo}" alt="">`}
        <h1>${heading}</h1>
        ${print === null ? '' : html`<button class="print" type="button" hidden>${print}</button>`}
      </header>
      ${body}
      ${address == null ? '' : codeOf(address)}
      ${languages === null ? '' : languageLinks(language, languages)}
    </main>
    ${print === null ? '' : html`<script>${raw(PRINT_SCRIPT)}</script>`}
  </body>
</html>
`;
}

/** The mark of our pages, where the seller has no logo. */
const OUR_MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><rect class="post" x="6" y="13" width="5" height="14" rx="1"/><path d="M10 16L25 7"/></svg>`;

/** The code for a reader with the paper in hand; on a screen the page is there already. */
function codeOf(address: string): Html {
  const { size, path } = qrSquares(address);
  return html`<p class="code"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR"><path d="${path}"/></svg><span>${address}</span></p>`;
}

function languageLinks(language: Language, { name, all }: NonNullable<PaperHead['languages']>): Html {
  return html`<nav class="languages" aria-label="${name}">${all.map(
    (each) =>
      html`<a class="language" href="?lang=${each}" hreflang="${each}" lang="${each}"${each === language ? raw(' aria-current="true"') : ''}>${LANGUAGE_NAMES[each]}</a>`,
  )}</nav>`;
}

/** The tools for a paper on a screen. */
export interface PaperTools {
  /** The name of the button that prints; null: it is not to be printed. */
  print: string | null;
  /** The same as a PDF file; null: there is none. */
  file: { text: string; url: string } | null;
  /** A page on which more can be done with it. */
  more?: { text: string; url: string } | null;
  languages: NonNullable<PaperHead['languages']>;
}

/** A receipt, an invoice or a credit note as a page. */
export function paperHtml(paper: Paper, { print, file, more = null, languages }: PaperTools): Html {
  const { language, title, mark, heading, logo, address, standing, amount, facts, table, below, howToPay } =
    paper;
  return paperPage(
    language,
    { title, mark, heading, logo, address, print, languages },
    html`${standing === null ? '' : html`<p class="standing ${standing.mood}">${standing.text}</p>`}
      <p class="amount">${amount}</p>
      ${factList(facts)}
      <table>
        <caption>${table.caption}</caption>
        <thead class="hidden"><tr><th scope="col">${table.what}</th><th scope="col">${table.amount}</th></tr></thead>
        <tbody>
          ${table.rows.map(
            (row) =>
              html`<tr><th scope="row">${row.what}${row.notes.map((note) => html`<small>${note}</small>`)}</th><td>${row.amount}</td></tr>`,
          )}
          <tr class="total"><th scope="row">${table.total.what}</th><td>${table.total.amount}</td></tr>
          ${table.parts.map(
            (part) => html`<tr class="vat"><th scope="row">${part.what}</th><td>${part.amount}</td></tr>`,
          )}
        </tbody>
      </table>
      ${below.length === 0 ? '' : factList(below)}
      ${howToPay === null ? '' : payingPart(howToPay)}
      ${file === null ? '' : html`<p class="file"><a href="${file.url}" download>${file.text}</a></p>`}
      ${more === null ? '' : html`<p class="file"><a href="${more.url}">${more.text}</a></p>`}`,
  );
}

function payingPart({ heading, facts, page }: NonNullable<Paper['howToPay']>): Html {
  return html`<section class="how-to-pay">
    <h2>${heading}</h2>
    ${factList(facts)}
    ${page === null ? '' : html`<p><a href="${page.url}">${page.text}</a></p><div class="qr">${raw(qrSvg(page.url))}</div><p>${page.note}</p>`}
  </section>`;
}

function factList(facts: readonly Fact[]): Html {
  return html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
