import { randomUUID } from 'node:crypto';
import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { callerName } from './caller.ts';
import type { CloudEnv } from './cloud-env.ts';
import { routeOf } from './router.ts';

/** A caller's own request id is kept where it is harmless in a log. */
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Counts requests. */
export interface RequestMeter {
  /** @param route as the API describes it; null: there is no such route */
  requestEnded(method: string, route: string | null, status: number, tookMs: number): void;
}

/** Gives each request an id, and logs how it ended: the route, never the address, which may hold a plate. */
export function requestLog(log: Logger, meter: RequestMeter | null): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const began = performance.now();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && isHarmless(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    await next();
    const tookMs = performance.now() - began;
    const route = routeOf(c)?.path ?? null;
    meter?.requestEnded(c.req.method, route, c.res.status, tookMs);
    if (!log.isLevelEnabled('info')) return;
    const caller = c.get('caller');
    log.info({
      event: EVENTS.request,
      requestId,
      method: c.req.method,
      route,
      status: c.res.status,
      caller: caller ? callerName(caller) : null,
      tookMs: Math.round(tookMs * 100) / 100,
    });
  };
}

function isHarmless(given: string): boolean {
  return REQUEST_ID.test(given) && hideCardNumbers(given) === given;
}
