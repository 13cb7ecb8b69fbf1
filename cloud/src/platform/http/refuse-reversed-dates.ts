import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';
import { inputError } from './errors.ts';

/** No clock on a wall is further from UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Refuses a period that ends before it begins, in every query alike. */
export function refuseReversedDates(): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    for (const name of ['date', 'ended']) {
      const [from, to] = [c.req.query(`${name}.from`), c.req.query(`${name}.to`)];
      if (from !== undefined && to !== undefined && isReversed(from, to)) {
        return inputError(c, mistake('dates-reversed', [`${name}.to`], { name }));
      }
    }
    return await next();
  };
}

/** A day and a moment are compared as far as every time zone agrees. */
function isReversed(from: string, to: string): boolean {
  if (DAY.test(from) && DAY.test(to)) return to < from;
  const earliest = Date.parse(from) - (DAY.test(from) ? MAX_OFFSET_MS : 0);
  const latest = Date.parse(to) + (DAY.test(to) ? DAY_MS + MAX_OFFSET_MS : 0);
  // A text that is no date is not less than anything: its own schema refuses it.
  return latest < earliest;
}
