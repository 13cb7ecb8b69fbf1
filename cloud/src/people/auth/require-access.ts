import { nowUtc } from '@hlid/node/clock';
import { Fault } from '@hlid/protocol/base/fault';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Queries } from '../../platform/db/db.ts';
import type { RequestCaller } from '../../platform/http/caller.ts';
import type { CloudEnv, CoreContext } from '../../platform/http/cloud-env.ts';
import {
  accessDenied,
  methodNotAllowed,
  mustAuthenticate,
  noSuchRoute,
  stepUpNeeded,
} from '../../platform/http/errors.ts';
import { routeOf } from '../../platform/http/router.ts';
import { missingRight } from './may-call.ts';
import { isNamed, ROUTE_ACCESS, type RouteAccess, type Who, whoIs } from './route-access.ts';
import { isSameOrigin, isUnsafe } from './same-origin.ts';
import { sessionCookie } from './session-cookie.ts';
import { steppedUpUntil } from './session-life.ts';
import { endOfSession, findApiKeyCaller, findToken, isUseNoted, noteTokenUse } from './tokens.ts';

/** The parts that find the caller. Sites are above this folder: `app.ts` gives the check of their secrets. */
interface AccessContext extends CoreContext {
  publicUrl: () => string;
  checkSiteSecret(q: Queries, siteId: string, secret: string): Promise<boolean>;
}

/**
 * Finds out who calls and whether that caller may, before the route validates or reads anything. A refused caller
 * does not learn whether its input was good.
 */
export function requireAccess(context: AccessContext): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    c.set('caller', null);
    const route = routeOf(c);
    if (route === null) return noRoute(c);
    const access = ROUTE_ACCESS[route.name];
    if (access === undefined) return noSuchRoute(c);
    const { who: allowed } = access;
    const proofs = proofsIn(c, allowed);
    const isSessionRoute = route.path.startsWith('/session') && !proofs.some(({ kind }) => kind === 'bearer');
    const needsOrigin = isSessionRoute || proofs.some(({ kind }) => kind === 'session');
    if (needsOrigin && isUnsafe(c.req.method) && !isSameOrigin(c, context.publicUrl())) {
      return accessDenied(c, mistake('other-origin'));
    }
    if (allowed.includes('anyone')) return await next();
    const callers = await findCallers(context, proofs);
    const caller = callers.find((found) => isNamed(allowed, found) && isAtItsPath(found, c));
    if (caller === undefined) {
      const [first] = callers;
      if (first) return accessDenied(c, denial(first));
      return mustAuthenticate(c, ...(await endedSession(context, proofs)), ...howToCome(c, allowed));
    }
    const refused = refuseAccount(c, caller, access, nowUtc(context.clock));
    if (refused !== null) return refused;
    c.set('caller', caller);
    return await next();
  };
}

/** Why the session that a browser comes with is good no longer. */
async function endedSession({ db, clock }: CoreContext, proofs: readonly Proof[]): Promise<Mistake[]> {
  const session = proofs.find(({ kind }) => kind === 'session');
  if (session === undefined) return [];
  const why = await db.read((q) => endOfSession(q, session.secret, nowUtc(clock)));
  return why === null ? [] : [mistake(why)];
}

/** The refusal of a caller who may not use the route at all. */
function denial(caller: RequestCaller): Mistake {
  const who = whoIs(caller);
  if (who === 'unproven-session') return mistake('second-factor-needed');
  if (who === 'enrolling-session') return mistake('no-second-factor');
  return mistake('not-allowed');
}

/** Refuses an account that lacks more than its role; null: it may call. */
function refuseAccount(c: Context<CloudEnv>, caller: RequestCaller, access: RouteAccess, now: UtcTime) {
  if (caller.kind !== 'account' || caller.recovering !== undefined) return null;
  const { role, session } = caller;
  const missing = missingRight(caller, access, isOwnPath(c, caller.accountId));
  if (missing !== null) return accessDenied(c, missing);
  if (access.stepUp === null || access.stepUp === 'in-part') return null;
  if (access.stepUp === 'operators' && role !== 'operator') return null;
  // Machines cannot prove again who they are, and a password with a second factor never gives a bearer token.
  if (session === undefined) {
    return access.stepUp === 'sessions' ? accessDenied(c, mistake('session-needed')) : null;
  }
  const isProven = session.awaits !== null || steppedUpUntil(session.steppedUpAt, now) !== null;
  return isProven ? null : stepUpNeeded(c);
}

/** Whether the path is about the caller's own account: `/accounts/:id` and below. */
function isOwnPath(c: Context<CloudEnv>, accountId: string): boolean {
  return c.req.path.split('/')[2] === accountId;
}

/** 404, or 405 where the path takes other methods. */
function noRoute(c: Context<CloudEnv>) {
  const allowed = methodsOf(c.req.path);
  return allowed.length === 0 ? noSuchRoute(c) : methodNotAllowed(c, allowed);
}

const ROUTES = Object.keys(ROUTE_ACCESS).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`) };
});

function methodsOf(path: string): string[] {
  const methods = new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** The query parameter of each kind of token. */
const QUERY_TOKENS = {
  'photo-token': 'token',
  'location-token': 'access_token',
} as const;

/** The ways to log in that the route accepts and the caller lacks; a bad token in the query is named. */
function howToCome(c: Context<CloudEnv>, allowed: readonly Who[]): Mistake[] {
  const mistakes: Mistake[] = [];
  const others = allowed.filter((who) => !(who in QUERY_TOKENS));
  for (const who of ['photo-token', 'location-token'] as const) {
    if (!allowed.includes(who)) continue;
    const name = QUERY_TOKENS[who];
    const given = c.req.query(name) !== undefined;
    if (given) mistakes.push(mistake('token-not-valid', name));
    else if (who === 'photo-token') mistakes.push(mistake('camera-token-needed', name, { name }));
  }
  if (others.includes('site')) {
    mistakes.push(mistake('site-credentials-needed'));
  } else if (others.length > 0 && others.every((who) => who === 'api-key')) {
    mistakes.push(mistake('api-key-needed'));
  } else if (others.length > 0) {
    mistakes.push(mistake('not-logged-in'));
  }
  return mistakes;
}

/** A location token is good for GET of the one address that it was made for. */
function isAtItsPath(caller: RequestCaller, c: Context): boolean {
  return caller.kind !== 'location' || (c.req.method === 'GET' && c.req.path === caller.path);
}

type Proof = { kind: 'bearer' | 'session' | 'api-key' | 'photo' | 'location'; secret: string };

/**
 * The proofs in a request of who it comes from; all but a bearer token and a cookie only where the route
 * accepts it. A cookie does not count beside a bearer token.
 */
function proofsIn(c: Context<CloudEnv>, allowed: readonly Who[]): Proof[] {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const cookie = bearer === undefined && !allowed.includes('anyone') ? sessionCookie(c) : undefined;
  const apiKey = allowed.includes('api-key') ? c.req.header('x-api-key') : undefined;
  const photo = allowed.includes('photo-token') ? c.req.query('token') : undefined;
  const location = allowed.includes('location-token') ? c.req.query('access_token') : undefined;
  return [
    ...(bearer === undefined ? [] : [{ kind: 'bearer', secret: bearer } as const]),
    ...(cookie === undefined ? [] : [{ kind: 'session', secret: cookie } as const]),
    ...(apiKey === undefined ? [] : [{ kind: 'api-key', secret: apiKey } as const]),
    ...(photo === undefined ? [] : [{ kind: 'photo', secret: photo } as const]),
    ...(location === undefined ? [] : [{ kind: 'location', secret: location } as const]),
  ];
}

async function findCallers(context: AccessContext, proofs: Proof[]): Promise<RequestCaller[]> {
  const found: RequestCaller[] = [];
  for (const proof of proofs) {
    const caller = await findCaller(context, proof);
    if (caller !== null) found.push(caller);
  }
  return found;
}

async function findCaller(context: AccessContext, { kind, secret }: Proof): Promise<RequestCaller | null> {
  const { db } = context;
  switch (kind) {
    case 'bearer':
      return await findBearer(context, secret);
    case 'api-key':
      return await db.read((q) => findApiKeyCaller(q, secret));
    case 'session':
      return await findTokenCaller(context, secret, ['account'], true);
    case 'photo':
    case 'location':
      return await findTokenCaller(context, secret, [kind]);
    default:
      return kind satisfies never;
  }
}

async function findBearer(context: AccessContext, bearer: string): Promise<RequestCaller | null> {
  const [siteId = '', secret] = splitAtDot(bearer);
  if (secret === undefined) return await findTokenCaller(context, bearer, ['account', 'role', 'driver']);
  const known = await context.db.read((q) => context.checkSiteSecret(q, siteId, secret));
  return known ? { kind: 'site', siteId } : null;
}

/** A token's caller, where it came as tokens of its kind come; notes its use. */
async function findTokenCaller(
  { db, clock }: CoreContext,
  token: string,
  kinds: readonly RequestCaller['kind'][],
  asSession = false,
): Promise<RequestCaller | null> {
  const now = nowUtc(clock);
  const known = await db.read((q) => findToken(q, token, now));
  if (known === null || !kinds.includes(known.caller.kind) || known.isSession !== asSession) return null;
  const { caller } = known;
  // A location token lives for minutes: its last use does not matter.
  if (!isUseNoted(known, now) && caller.kind !== 'location')
    await db.write((tx) => noteTokenUse(tx.q, caller.tokenId, now));
  return caller;
}

/** A site's credentials are `<site id>.<secret>`; no other token has a dot. */
function splitAtDot(bearer: string): string[] {
  const dot = bearer.indexOf('.');
  return dot === -1 ? [bearer] : [bearer.slice(0, dot), bearer.slice(dot + 1)];
}

/** Every mounted route as the access table names it. */
export function mountedRoutes(app: Hono<CloudEnv>): string[] {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

/** Throws Fault `config-invalid` unless the app's routes and the access table name the same. */
export function checkRouteAccess(app: Hono<CloudEnv>): void {
  const mounted = mountedRoutes(app);
  const listed = Object.keys(ROUTE_ACCESS);
  const unlisted = mounted.filter((route) => !listed.includes(route));
  const unmounted = listed.filter((route) => !mounted.includes(route));
  if (unlisted.length + unmounted.length === 0) return;
  throw new Fault('config-invalid', 'the routes and their access table disagree', {
    details: { unlisted, unmounted },
  });
}
