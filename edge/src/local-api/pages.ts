import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entityTag, versionMark } from '@hlid/node/digest';
import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { VERSION } from '@hlid/protocol/base/version';
import { HOLD_MINUTES, USUAL_HOLD_MINUTES } from '@hlid/protocol/records/gate-times';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { DEVICE_ADVICE } from '@hlid/protocol/words/device-advice/device-advice';
import type { MiddlewareHandler } from 'hono';
import type { LocalEnv } from './local-env.ts';
import { PAGE_WORDS } from './page-words.ts';
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
const LANE_FOLDER = fileURLToPath(new URL('../../page/', import.meta.url));
const KIOSK_FOLDER = fileURLToPath(new URL('../../../kiosk/dist-page/', import.meta.url));
/** Style sheets that all pages share; the lanes page has no build. */
const SHARED_FOLDER = fileURLToPath(new URL('../../../kiosk/ui/src/', import.meta.url));
const TYPEFACE = '@fontsource-variable/inter/files/';
const KIOSK_PATH = '/kiosk/';
const WORDS_GO_HERE = '{"words":"go here"}';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const NOT_BUILT = `The kiosk's page is not built. Run "npm run -w @hlid/kiosk build-page", then start the edge again.
`;

/** All texts and limits of the lane page, which are part of its document. */
const LANE_PAGE_WORDS = { is: wordsIn('is'), en: wordsIn('en') };
export type LanePageWords = (typeof LANE_PAGE_WORDS)['en'];

function wordsIn(language: 'is' | 'en') {
  const { lane, gate, gateMode, passage } = STATUS_WORDS[language];
  const codes = CODE_WORDS[language];
  return {
    page: PAGE_WORDS[language],
    reasons: codes.decision,
    flags: codes.flag,
    states: { lane, gate, gateMode, passage },
    gateReasons: codes.gateReason,
    limits: { holdMinutes: HOLD_MINUTES, usualHoldMinutes: USUAL_HOLD_MINUTES, maxNote: MAX_NOTE },
    alerts: codes.laneAlert,
    devices: {
      kinds: codes.deviceKind,
      states: codes.deviceState,
      advice: DEVICE_ADVICE[language].all,
      adviceOfKind: DEVICE_ADVICE[language].ofKind,
    },
  };
}

/** The files of the page that shows the lanes, by path. */
function loadLanePage(): Map<string, PageFile> {
  const own = pageFiles(LANE_FOLDER).map(({ file, contentType, content }) => {
    const isIndex = file === 'index.html';
    const path = isIndex ? '/' : `/${file}`;
    return [path, checkedFile(contentType, isIndex ? withWords(content) : content)] as const;
  });
  const shared = pageFiles(SHARED_FOLDER).flatMap(({ file, contentType, content }) => {
    if (!file.endsWith('.css')) return [];
    const css = new TextDecoder().decode(content).replaceAll(TYPEFACE, '/shared/typeface/');
    return [[`/shared/${file}`, checkedFile(contentType, bytes(css))] as const];
  });
  return new Map([...own, ...shared, ...loadTypeface()]);
}

/** The fonts that `typeface.css` names; without them the page is shown in a font of the system. */
function loadTypeface(): [string, PageFile][] {
  const css = readFileSync(`${SHARED_FOLDER}typeface.css`, 'utf8');
  const { resolve } = createRequire(SHARED_FOLDER);
  return [...css.matchAll(/url\("([^"]+)"\)/g)].flatMap(([, name = '']): [string, PageFile][] => {
    try {
      const content = new Uint8Array(readFileSync(resolve(name)));
      return [[name.replace(TYPEFACE, '/shared/typeface/'), checkedFile('font/woff2', content)]];
    } catch {
      return [];
    }
  });
}

/** Checked on every visit: an updated daemon must not be shown by an old page. */
function checkedFile(contentType: string, body: Uint8Array<ArrayBuffer>): PageFile {
  const etag = entityTag(body);
  return {
    status: 200,
    body,
    headers: { 'content-type': contentType, etag, 'cache-control': 'no-cache' },
  };
}

function withWords(html: Uint8Array): Uint8Array<ArrayBuffer> {
  // `<` would end the script element early.
  const words = JSON.stringify(LANE_PAGE_WORDS).replaceAll('<', '\\u003c');
  return bytes(new TextDecoder().decode(html).replace(WORDS_GO_HERE, () => words));
}

/** The files of the page at which drivers pay, by path. */
export function loadKioskPage(): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  const redirect = { location: KIOSK_PATH, 'cache-control': 'no-cache' };
  files.set(KIOSK_PATH.slice(0, -1), { status: 308, headers: redirect, body: bytes('') });
  if (!existsSync(`${KIOSK_FOLDER}/index.html`)) {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return files.set(KIOSK_PATH, { status: 503, headers, body: bytes(NOT_BUILT) });
  }
  for (const { file, contentType, content } of pageFiles(KIOSK_FOLDER)) {
    const isIndex = file === 'index.html';
    // The build puts a hash of the content into every other name.
    const caching = isIndex ? 'no-cache' : 'public, max-age=31536000, immutable';
    const headers = { 'content-type': contentType, 'cache-control': caching };
    files.set(isIndex ? KIOSK_PATH : `${KIOSK_PATH}${file}`, { status: 200, headers, body: content });
  }
  return files;
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
