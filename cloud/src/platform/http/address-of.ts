import type { Context, MiddlewareHandler } from 'hono';
import { addressList, clientOf, limitedAddress, type TrustedProxies } from '../ip-address.ts';
import type { CloudEnv } from './cloud-env.ts';

/** The address of a request's client, as far as limits of attempts are concerned. */
export function addressOf(c: Context<CloudEnv>): string {
  return c.get('address');
}

const MAX_AGENT = 300;

/** The program that made a request, by its own name. */
export function agentOf(c: Context<CloudEnv>): string | null {
  return c.req.header('user-agent')?.slice(0, MAX_AGENT) ?? null;
}

/** Finds out from where each request comes, behind trusted proxies too. */
export function clientAddress(trusted: TrustedProxies): MiddlewareHandler<CloudEnv> {
  const proxies = addressList(trusted);
  return async (c, next) => {
    const peer = c.env?.incoming?.socket.remoteAddress;
    const forwarded = trusted.length === 0 ? undefined : c.req.header('x-forwarded-for');
    c.set('address', peer === undefined ? 'unknown' : limitedAddress(clientOf(peer, forwarded, proxies)));
    await next();
  };
}
