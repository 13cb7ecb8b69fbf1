import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Context, MiddlewareHandler } from 'hono';
import { nowUtc } from '../clock.ts';
import type { CloudEnv, CoreContext } from '../http/cloud-env.ts';
import { accessDenied, mustAuthenticate, noSuchRoute } from '../http/errors.ts';
import { routeOf } from '../http/route-of.ts';
import { checkSiteSecret } from '../sites/site-credentials.ts';
import type { RequestCaller } from './caller.ts';
import { ROUTE_ACCESS, type Who, whoIs } from './route-access.ts';
import { findApiKeyCaller, findToken, noteTokenUse } from './token-store.ts';

/**
 * Finds out who calls and whether that caller may, before the route validates or reads anything. A refused caller
 * does not learn whether its input was good.
 */
export function requireAccess(context: CoreContext): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    c.set('caller', null);
    const route = routeOf(c);
    if (route === null) return noSuchRoute(c);
    const allowed = ROUTE_ACCESS[route.name];
    if (allowed === undefined) return noSuchRoute(c);
    if (allowed.includes('anyone')) return await next();
    const callers = await findCallers(context, proofsIn(c, allowed));
    const caller = callers.find((found) => allowed.includes(whoIs(found)) && isAtItsPath(found, c));
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

/** A location token is good for GET of the one address that it was made for. */
function isAtItsPath(caller: RequestCaller, c: Context): boolean {
  return caller.kind !== 'location' || (c.req.method === 'GET' && c.req.path === caller.path);
}

type Proof = { kind: 'bearer' | 'api-key' | 'photo' | 'location'; secret: string };

/** What a request brings to show who it comes from; all but a bearer token only where the route takes it. */
function proofsIn(c: Context, allowed: readonly Who[]): Proof[] {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const apiKey = allowed.includes('api-key') ? c.req.header('x-api-key') : undefined;
  const photo = allowed.includes('photo-token') ? c.req.query('token') : undefined;
  const location = allowed.includes('location-token') ? c.req.query('access_token') : undefined;
  return [
    ...(bearer === undefined ? [] : [{ kind: 'bearer', secret: bearer } as const]),
    ...(apiKey === undefined ? [] : [{ kind: 'api-key', secret: apiKey } as const]),
    ...(photo === undefined ? [] : [{ kind: 'photo', secret: photo } as const]),
    ...(location === undefined ? [] : [{ kind: 'location', secret: location } as const]),
  ];
}

async function findCallers(context: CoreContext, proofs: Proof[]): Promise<RequestCaller[]> {
  const found: RequestCaller[] = [];
  for (const proof of proofs) {
    const caller = await findCaller(context, proof);
    if (caller !== null) found.push(caller);
  }
  return found;
}

async function findCaller(context: CoreContext, { kind, secret }: Proof): Promise<RequestCaller | null> {
  const { db } = context;
  switch (kind) {
    case 'bearer':
      return await findBearer(context, secret);
    case 'api-key':
      return await db.read((q) => findApiKeyCaller(q, secret));
    case 'photo':
    case 'location':
      return await findTokenCaller(context, secret, [kind]);
    default:
      return kind satisfies never;
  }
}

async function findBearer(context: CoreContext, bearer: string): Promise<RequestCaller | null> {
  const [siteId = '', secret] = splitAtDot(bearer);
  if (secret === undefined) return await findTokenCaller(context, bearer, ['account', 'role']);
  const known = await context.db.read((q) => checkSiteSecret(q, siteId, secret));
  return known ? { kind: 'site', siteId } : null;
}

/** A token's caller, where it came as tokens of its kind come; notes its first use of a day. */
async function findTokenCaller(
  { db, clock }: CoreContext,
  token: string,
  kinds: readonly RequestCaller['kind'][],
): Promise<RequestCaller | null> {
  const now = nowUtc(clock);
  const known = await db.read((q) => findToken(q, token, now));
  if (known === null || !kinds.includes(known.caller.kind)) return null;
  const { caller, usedOn } = known;
  const today = dayOf(now);
  // A location token lives for minutes: nobody asks when it was used.
  if (usedOn !== today && caller.kind !== 'location')
    await db.write((tx) => noteTokenUse(tx.q, caller.tokenId, today));
  return caller;
}

function dayOf(at: UtcTime): string {
  return at.slice(0, 10);
}

/** A site's credentials are `<site id>.<secret>`; no other token has a dot. */
function splitAtDot(bearer: string): string[] {
  const dot = bearer.indexOf('.');
  return dot === -1 ? [bearer] : [bearer.slice(0, dot), bearer.slice(dot + 1)];
}
