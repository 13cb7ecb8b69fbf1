import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entityTag, versionMark } from '@hlid/node/digest';
import { VERSION } from '@hlid/protocol/base/version';
import type { MiddlewareHandler } from 'hono';
import type { LocalEnv } from './local-env.ts';
import { refuse } from './refusals.ts';

/** A file of a page, read once. */
export interface PageFile {
  status: 200 | 308 | 503;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** Serves the page of the lanes at `/`, and the page at which drivers pay at `/kiosk/`. */
export function servePages(): MiddlewareHandler<LocalEnv> {
  return serveFiles(new Map([...loadLanePage(), ...loadKioskPage()]));
}

/** Serves the page of the lanes alone. */
export function serveLanePage(): MiddlewareHandler<LocalEnv> {
  return serveFiles(loadLanePage());
}

function serveFiles(files: ReadonlyMap<string, PageFile>): MiddlewareHandler<LocalEnv> {
  const version = versionOf(files);
  return async (c, next) => {
    // The header shows an open page that it is older than the program.
    c.env.outgoing.setHeader('hlid-version', version);
    const file = files.get(c.req.path);
    if (!file) return await next();
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      c.header('allow', 'GET, HEAD');
      return refuse(c, 405, 'Use GET, HEAD.');
    }
    const { status, headers, body } = file;
    const { etag } = headers;
    if (etag !== undefined && c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
    return c.body(body, status, { ...headers, 'content-length': String(body.length) });
  };
}

/** A mark that changes with the program and with each file of its pages. */
function versionOf(files: ReadonlyMap<string, PageFile>): string {
  return versionMark([VERSION, ...Array.from(files.values(), ({ body }) => body)]);
}

/** The same distance from `src` and from `dist`. */
const LANE_FOLDER = fileURLToPath(new URL('../../page/dist-page/', import.meta.url));
const KIOSK_FOLDER = fileURLToPath(new URL('../../../kiosk/dist-page/', import.meta.url));
const KIOSK_PATH = '/kiosk/';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of the page that shows the lanes, by path. */
function loadLanePage(): Map<string, PageFile> {
  return builtPage(LANE_FOLDER, '/', 'lanes page', '@hlid/lanes-page');
}

/** The files of the page at which drivers pay, by path. */
export function loadKioskPage(): Map<string, PageFile> {
  const headers = { location: KIOSK_PATH, 'cache-control': 'no-cache' };
  return new Map<string, PageFile>([
    [KIOSK_PATH.slice(0, -1), { status: 308, headers, body: bytes('') }],
    ...builtPage(KIOSK_FOLDER, KIOSK_PATH, "kiosk's page", '@hlid/kiosk'),
  ]);
}

/** The files of a page that Vite has built, below a path. */
function builtPage(folder: string, root: string, what: string, workspace: string): Map<string, PageFile> {
  if (!existsSync(`${folder}/index.html`)) {
    const text = `The ${what} is not built. Run "npm run -w ${workspace} build-page", then start the edge again.\n`;
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return new Map([[root, { status: 503, headers, body: bytes(text) }]]);
  }
  return new Map(
    pageFiles(folder).map(({ file, contentType, content }) => {
      const path = file === 'index.html' ? root : `${root}${file}`;
      return [
        path,
        file.endsWith('.html') ? checkedFile(contentType, content) : hashedFile(contentType, content),
      ];
    }),
  );
}

/** Checked on every visit: an updated daemon must not be shown by an old page. */
function checkedFile(contentType: string, body: Uint8Array<ArrayBuffer>): PageFile {
  const headers = { 'content-type': contentType, etag: entityTag(body), 'cache-control': 'no-cache' };
  return { status: 200, headers, body };
}

/** The build puts a hash of the content into its name. */
function hashedFile(contentType: string, body: Uint8Array<ArrayBuffer>): PageFile {
  const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers, body };
}

function pageFiles(
  folder: string,
): { file: string; contentType: string; content: Uint8Array<ArrayBuffer> }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const contentType = CONTENT_TYPES[extname(file)];
    if (contentType === undefined) return [];
    return [{ file, contentType, content: new Uint8Array(readFileSync(`${folder}/${file}`)) }];
  });
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
