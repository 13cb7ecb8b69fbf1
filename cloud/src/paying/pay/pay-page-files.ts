import { fileURLToPath } from 'node:url';
import type { PageSources } from '../../platform/card-gateways/gateway.ts';
import { WORKSPACE } from '../../platform/workspace.ts';

/** The built page. The same distance from `src` and from `dist`. */
export const PAY_PAGE_FOLDER = fileURLToPath(new URL('pay-page/dist-page/', WORKSPACE));

export const NO_SOURCES: PageSources = { script: [], connect: [], frame: [], form: [] };

/**
 * The content policy of the page (PCI DSS 6.4.3): its own files, pictures of entries as `blob:`, and what the site's
 * provider needs for its scripts and the bank's challenge. Nothing inline, nothing from other origins.
 */
export function payPagePolicy({ script, connect, frame, form }: PageSources): string {
  const list = (own: string, others: readonly string[]) => [own, ...new Set(others)].join(' ');
  return [
    "default-src 'none'",
    `script-src ${list("'self'", script)}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob:",
    `connect-src ${list("'self'", connect)}`,
    // The bank's answer comes to our own page in the frame.
    `frame-src ${list("'self'", frame)}`,
    form.length === 0 ? "form-action 'none'" : `form-action ${[...new Set(form)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of the document: checked at each visit, since a new version has other files. */
export function payPageHeaders(sources: PageSources): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': payPagePolicy(sources),
    'Cache-Control': 'no-cache',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

export const NOT_BUILT = `The payment page is not built. Run "npm run -w @hlid/pay-page build-page", then start the cloud again.
`;
