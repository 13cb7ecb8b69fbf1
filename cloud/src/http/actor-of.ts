import { type Clock, nowUtc } from '@hlid/node/clock';
import type { Context } from 'hono';
import type { Actor } from '../audit/audit.ts';
import { type CloudEnv, callerOf } from './cloud-env.ts';

/** The person or device behind a request that changes something. */
export function actorOf(c: Context<CloudEnv>, clock: Clock): Actor {
  return {
    caller: callerOf(c, 'account', 'role'),
    at: nowUtc(clock),
    requestId: c.get('requestId'),
  };
}
