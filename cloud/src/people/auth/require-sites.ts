import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { accessDenied, inputError, notFound } from '../../platform/http/errors.ts';
import { routeOf } from '../../platform/http/router.ts';
import { limitedTo } from './may-call.ts';
import { ROUTE_ACCESS, type SiteThing } from './route-access.ts';
import { isUnsafe } from './same-origin.ts';

interface SitesContext {
  db: Db;
  /** The site of a thing; null: it is of every site; undefined: there is no such thing. */
  siteOfThing(q: Queries, thing: SiteThing, id: string): Promise<string | null | undefined>;
}

/**
 * Keeps an operator of some sites to these. A thing of another site is answered like one that does not exist,
 * a thing of every site is shown and not changed, and nothing is made at another site. Lists are filtered by
 * the features (`seesSite` of caller.ts).
 */
export function requireSites(context: SitesContext): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const siteIds = limitedTo(c.get('caller'));
    const scope = ROUTE_ACCESS[routeOf(c)?.name ?? '']?.operators?.sites;
    if (siteIds === null || scope === undefined) return await next();
    const isThing = scope !== 'named' && scope !== 'filtered' && scope !== 'all' && scope !== 'none';
    const refused = isThing ? await refuseThing(c, context, scope, siteIds) : null;
    return refused ?? (await refuseBody(c, scope === 'named', siteIds)) ?? (await next());
  };
}

async function refuseThing(
  c: Context<CloudEnv>,
  { db, siteOfThing }: SitesContext,
  thing: SiteThing,
  siteIds: readonly string[],
) {
  const id = decodeURIComponent(c.req.path.split('/')[idPlaceOf(c)] ?? '');
  const siteId = await db.read((q) => siteOfThing(q, thing, id));
  if (siteId === undefined) return null;
  if (siteId === null) return isUnsafe(c.req.method) ? accessDenied(c, mistake('of-every-site')) : null;
  return siteIds.includes(siteId) ? null : notFound(c, thing);
}

function idPlaceOf(c: Context<CloudEnv>): number {
  return routeOf(c)?.path.split('/').indexOf(':id') ?? 0;
}

const BodySchema = z.looseObject({ siteId: z.unknown().optional() });

/** The site in a body, whatever else is in it; the route checks the rest. */
async function refuseBody(c: Context<CloudEnv>, isNamed: boolean, siteIds: readonly string[]) {
  if (!isUnsafe(c.req.method) || !/\bjson\b/i.test(c.req.header('content-type') ?? '')) return null;
  const body = BodySchema.safeParse(await c.req.json().catch(() => null));
  if (!body.success) return null;
  const { siteId } = body.data;
  if (siteId === undefined) return isNamed ? inputError(c, mistake('site-needed', 'siteId')) : null;
  const isOurs = typeof siteId === 'string' && siteIds.includes(siteId);
  return isOurs ? null : inputError(c, mistake('not-your-site', 'siteId'));
}
