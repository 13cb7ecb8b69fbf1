import { nowUtc } from '@hlid/node/clock';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { CloudContext } from '../http/cloud-env.ts';
import { REFUSALS } from '../http/errors.ts';
import { createRouter } from '../http/router.ts';

const PongSchema = z
  .strictObject({ message: z.literal('pong'), at: UtcTimeSchema })
  .meta({ id: 'Pong', example: { message: 'pong', at: '2026-11-21T08:30:00.000Z' } });

const pong = {
  200: { description: 'It answers', content: { 'application/json': { schema: PongSchema } } },
};

const pingRoute = createRoute({
  method: 'get',
  path: '/ping',
  tags: ['Ping'],
  summary: 'Check that the server answers',
  responses: pong,
});

const apiKeyRoute = createRoute({
  method: 'get',
  path: '/ping/api-key',
  tags: ['Ping'],
  summary: 'Check an API key',
  responses: { ...pong, ...REFUSALS.auth },
});

const tokenRoute = createRoute({
  method: 'get',
  path: '/ping/token',
  tags: ['Ping'],
  summary: 'Check a bearer token',
  responses: { ...pong, ...REFUSALS.auth },
});

export function pingRoutes({ clock }: CloudContext) {
  const answer = () => ({ message: 'pong' as const, at: nowUtc(clock) });
  return createRouter()
    .openapi(pingRoute, (c) => c.json(answer(), 200))
    .openapi(apiKeyRoute, (c) => c.json(answer(), 200))
    .openapi(tokenRoute, (c) => c.json(answer(), 200));
}
