import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { CloudContext, CloudEnv } from './cloud-env.ts';
import { conflict, inputError } from './errors.ts';

export const DEADLINE_HEADER = 'Deadline';

const DeadlineSchema = z.iso.datetime({ offset: true });

/**
 * Refuses a changing call that comes after its `Deadline`. A network that was away may deliver a call minutes
 * after a person pressed a button, when a gate would move unattended.
 */
export function refuseLateCalls({ clock }: Pick<CloudContext, 'clock'>): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const deadline = c.req.header(DEADLINE_HEADER);
    if (deadline === undefined || c.req.method === 'GET') return await next();
    if (!DeadlineSchema.safeParse(deadline).success) {
      return inputError(c, mistake('deadline-form', DEADLINE_HEADER));
    }
    // The end of a body may be late too.
    await c.req.arrayBuffer();
    if (clock.now().getTime() > Date.parse(deadline)) return conflict(c, mistake('after-deadline'));
    return await next();
  };
}
