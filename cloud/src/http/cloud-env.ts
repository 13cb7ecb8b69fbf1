import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { Caller } from '../auth/caller.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';

/** What the routes work with. */
export interface CloudContext {
  db: Db;
  log: Logger;
  clock: Clock;
}

/** Hono's environment in every route: `c.get('caller')` is set by the time a route runs. */
export interface CloudEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Null on routes that anyone may call. */
    caller: Caller | null;
  };
}

/** The caller of a route that has one; which kinds may come stands in route-access.ts. */
export function callerOf<Kind extends Caller['kind']>(
  c: Context<CloudEnv>,
  ...kinds: Kind[]
): Extract<Caller, { kind: Kind }> {
  const caller = c.get('caller');
  if (caller !== null && isOneOf(caller, kinds)) return caller;
  throw new Error(`route-access.ts lets others than ${kinds.join(', ')} call ${c.req.method} ${c.req.path}`);
}

function isOneOf<Kind extends Caller['kind']>(
  caller: Caller,
  kinds: readonly Kind[],
): caller is Extract<Caller, { kind: Kind }> {
  return kinds.some((kind) => kind === caller.kind);
}
