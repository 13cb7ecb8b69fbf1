import type { Context } from 'hono';
import type { CloudEnv } from '../http/cloud-env.ts';

/** From where a request comes, as far as limits of attempts are concerned. */
export function addressOf(c: Context<CloudEnv>): string {
  return c.env?.incoming?.socket.remoteAddress ?? 'unknown';
}
