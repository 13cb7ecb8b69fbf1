import { policyHash } from '@hlid/node/digest';
import { CHALLENGE_RETURNED } from '@hlid/protocol/pages/pay-paths';
import type { PaymentState } from '@hlid/protocol/records/payment';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { RECEIPT_STYLE } from '../../platform/http/page-style.ts';
import { RETURN_WORDS } from './return-words.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/**
 * Informs the payment page around the frame, if it is there, that the bank has answered. The page reads the state itself.
 */
const REPORT_SCRIPT = `
const message={kind:'${CHALLENGE_RETURNED}',id:document.body.dataset.payment};
for(const page of [parent,opener]){if(page&&page!==self)page.postMessage(message,location.origin)}
const back=document.querySelector('a');if(back&&parent===self)location.replace(back.href);
`;

/** The page may stand in a frame of our own pages, and does nothing but report. */
export const RETURN_POLICY = [
  "default-src 'none'",
  `script-src ${policyHash(REPORT_SCRIPT)}`,
  `style-src ${policyHash(RECEIPT_STYLE)}`,
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The answer to the bank's form: it reports to our own page, or leads back to it, also without scripts. */
export function returnedPage({
  id,
  backPath,
}: {
  id: string;
  state: PaymentState;
  backPath: string | null;
}): Html {
  const link =
    backPath === null
      ? ''
      : html`<p><a href="${backPath}">${RETURN_WORDS.is.back} · ${RETURN_WORDS.en.back}</a></p>`;
  return page(
    id,
    html`<p class="standing paid">${RETURN_WORDS.is.done} ${RETURN_WORDS.is.next}</p>
      <p lang="en">${RETURN_WORDS.en.done} ${RETURN_WORDS.en.next}</p>${link}`,
  );
}

export function refusedPage(problem: 'refused' | 'busy'): Html {
  return page(
    '',
    html`<p class="standing not-paid" role="alert">${RETURN_WORDS.is[problem]}</p><p lang="en">${RETURN_WORDS.en[problem]}</p>`,
  );
}

function page(id: string, body: Html): Html {
  return html`<!doctype html>
<html lang="is">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${RETURN_WORDS.is.title} · ${RETURN_WORDS.en.title}</title>
<style>${raw(RECEIPT_STYLE)}</style>
</head>
<body data-payment="${id}">
<main>
<h1>${RETURN_WORDS.is.title} · ${RETURN_WORDS.en.title}</h1>
${body}
</main>
<script>${raw(REPORT_SCRIPT)}</script>
</body>
</html>`;
}
