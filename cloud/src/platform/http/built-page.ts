import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Context } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

/** A file of a page, with its compressed twins where the build made some. */
export interface PageFile {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  compressed: readonly (readonly [encoding: string, body: Uint8Array<ArrayBuffer>])[];
}

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The best one first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The document of a page that Vite built into `folder`, which ends in `/`; null: it is not built. */
export function pageDocument(folder: string): string | null {
  const path = `${folder}index.html`;
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Its other files by name. Each is read once in a process: the build puts a hash of the content into its name. */
export function pageAssets(folder: string): Map<string, PageFile> {
  const assets = `${folder}assets/`;
  if (!existsSync(assets)) return new Map();
  const read = (name: string) => readOnce(`${assets}${name}`);
  const names = new Set(readdirSync(assets));
  return new Map(
    [...names].flatMap((name) => {
      const type = CONTENT_TYPES[extname(name)];
      if (type === undefined) return [];
      const headers = {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      };
      const compressed = ENCODINGS.filter(([, end]) => names.has(name + end)).map(
        ([encoding, end]) => [encoding, read(name + end)] as const,
      );
      return [[name, { headers, body: read(name), compressed }] as const];
    }),
  );
}

/** The contents of files by path: a process with several clouds has them once. */
const contents = new Map<string, Uint8Array<ArrayBuffer>>();

function readOnce(path: string): Uint8Array<ArrayBuffer> {
  const content = contents.get(path) ?? new Uint8Array(readFileSync(path));
  contents.set(path, content);
  return content;
}

/** A file in the best form that the browser takes. */
export function sendFile(c: Context<CloudEnv>, { headers, body, compressed }: PageFile): Response {
  const taken = (c.req.header('Accept-Encoding') ?? '').split(',').map((one) => one.trim().split(';')[0]);
  const [found] = compressed.filter(([encoding]) => taken.includes(encoding));
  if (found === undefined) return c.body(body, 200, headers);
  return c.body(found[1], 200, { ...headers, 'Content-Encoding': found[0] });
}
