import type { MiddlewareHandler } from 'hono';
import type { CloudContext, CloudEnv } from './cloud-env.ts';

/** Marks each answer of a cloud with simulated car parks, so that every page that is open marks itself. */
export function showTraining({ trainer }: Pick<CloudContext, 'trainer'>): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    await next();
    if (trainer !== null) c.res.headers.set('Hlid-Training', 'yes');
  };
}
