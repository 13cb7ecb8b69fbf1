import { versionMark } from '@hlid/node/digest';
import { VERSION } from '@hlid/protocol/base/version';
import type { MiddlewareHandler } from 'hono';
import { pageDocument } from './built-page.ts';
import type { CloudEnv } from './cloud-env.ts';

/**
 * Marks each answer with the version of the program and its pages, so that a page that is open learns that it is older.
 * The mark names no version: strangers see it too.
 */
export function showVersion(pageFolders: readonly string[]): MiddlewareHandler<CloudEnv> {
  // A document names its other files with a hash of what is in them.
  const version = versionMark([VERSION, ...pageFolders.map((folder) => pageDocument(folder) ?? '')]);
  return async (c, next) => {
    await next();
    c.res.headers.set('Hlid-Version', version);
  };
}
