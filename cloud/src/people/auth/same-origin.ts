import type { Context } from 'hono';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isUnsafe(method: string): boolean {
  return !SAFE.has(method);
}

/**
 * Whether a request comes from a page of this cloud, which is what a cookie needs to change anything: browsers send it
 * along with what other pages make them ask. `Sec-Fetch-Site` shows it, and `Origin` where a browser does not send that.
 * Pages can set neither.
 *
 * @param publicUrl where people reach the cloud
 */
export function isSameOrigin(c: Context<CloudEnv>, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === c.req.header('host');
}
