import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { nowUtc } from '../clock.ts';
import type { CloudContext, CloudEnv } from '../http/cloud-env.ts';
import { accessDenied, mustAuthenticate, noSuchRoute } from '../http/errors.ts';
import { checkSiteSecret } from '../sites/site-credentials.ts';
import type { Caller } from './caller.ts';
import { ROUTE_ACCESS, type Who, whoIs } from './route-access.ts';
import { findApiKeyCaller, findTokenCaller } from './token-store.ts';

/**
 * Finds out who calls and whether that caller may, before the route validates or reads anything. A refused caller
 * does not learn whether its input was good.
 */
export function requireAccess(context: CloudContext): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    c.set('caller', null);
    const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    if (route === undefined) return noSuchRoute(c);
    const allowed = ROUTE_ACCESS[`${route.method} ${route.path}`];
    if (allowed === undefined) return noSuchRoute(c);
    if (allowed.includes('anyone')) return await next();
    const callers = await findCallers(
      context,
      c.req.header('authorization'),
      apiKeyOf(c.req.header(), allowed),
    );
    const caller = callers.find((found) => allowed.includes(whoIs(found)));
    if (caller === undefined) {
      return callers.length > 0 ? accessDenied(c) : mustAuthenticate(c, HOW_TO[howToCome(allowed)]);
    }
    c.set('caller', caller);
    return await next();
  };
}

const HOW_TO = {
  'api-key': 'Send a valid API key in the header x-api-key.',
  token: 'Log in, and send the access token as: Authorization: Bearer <token>.',
  site: 'Send the credentials of the site as: Authorization: Bearer <site id>.<secret>.',
} as const;

function howToCome(allowed: readonly Who[]): keyof typeof HOW_TO {
  if (allowed.includes('site')) return 'site';
  return allowed.every((who) => who === 'api-key') ? 'api-key' : 'token';
}

function apiKeyOf(headers: Record<string, string>, allowed: readonly Who[]): string | undefined {
  return allowed.includes('api-key') ? headers['x-api-key'] : undefined;
}

async function findCallers(
  context: CloudContext,
  authorization: string | undefined,
  apiKey: string | undefined,
): Promise<Caller[]> {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const found = [
    bearer === undefined ? null : await findBearer(context, bearer),
    apiKey === undefined ? null : await context.db.read((q) => findApiKeyCaller(q, apiKey)),
  ];
  return found.filter((caller) => caller !== null);
}

async function findBearer({ db, clock }: CloudContext, bearer: string): Promise<Caller | null> {
  const [siteId = '', secret] = splitAtDot(bearer);
  if (secret === undefined) return await db.read((q) => findTokenCaller(q, bearer, nowUtc(clock)));
  const known = await db.read((q) => checkSiteSecret(q, siteId, secret));
  return known ? { kind: 'site', siteId } : null;
}

/** A site's credentials are `<site id>.<secret>`; no other token has a dot. */
function splitAtDot(bearer: string): string[] {
  const dot = bearer.indexOf('.');
  return dot === -1 ? [bearer] : [bearer.slice(0, dot), bearer.slice(dot + 1)];
}
