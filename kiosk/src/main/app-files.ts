import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** The types of the page's files; other files of the folder are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

export interface AppFile {
  content: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/**
 * The file of the page at a path of its address, as it came, escapes and all; null: there is none, or it is not to be
 * had. Only what has a plain name inside the folder is: no dots ahead, no way up, no backslash, nothing escaped.
 */
export async function readAppFile(folder: string, path: string): Promise<AppFile | null> {
  const name = path === '/' ? '/index.html' : path;
  if (!/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(name)) return null;
  const contentType = CONTENT_TYPES[extname(name)];
  const file = join(folder, name);
  const inside = relative(folder, file);
  if (!contentType || inside === '' || inside.startsWith(`..${sep}`)) return null;
  try {
    return { content: new Uint8Array(await readFile(file)), contentType };
  } catch {
    return null;
  }
}
