import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageSources } from '../card-gateways/gateway.ts';

/** A file of the payment page, read once. */
export interface PayPageFile {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** The same distance from `src` and from `dist`. */
const FOLDER = fileURLToPath(new URL('../../pay-page/dist-page/', import.meta.url));

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The document of the page; null: it is not built. */
export function payPageDocument(folder = FOLDER): string | null {
  const path = `${folder}index.html`;
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** The other files by name. The build puts a hash of the content into each name. */
export function payPageAssets(folder = FOLDER): Map<string, PayPageFile> {
  const assets = `${folder}assets/`;
  if (!existsSync(assets)) return new Map();
  return new Map(
    readdirSync(assets).flatMap((name) => {
      const type = CONTENT_TYPES[extname(name)];
      if (type === undefined) return [];
      const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
      return [[name, { headers, body: new Uint8Array(readFileSync(`${assets}${name}`)) }] as const];
    }),
  );
}

export const NO_SOURCES: PageSources = { script: [], connect: [], frame: [], form: [] };

/**
 * The content policy of the page (PCI DSS 6.4.3): its own files, pictures of entries as `blob:`, and what the site's
 * provider needs for its scripts and the bank's challenge. Nothing inline, nothing of anybody else.
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
