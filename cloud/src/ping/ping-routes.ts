import { nowUtc } from '@hlid/node/clock';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { CloudContext, CloudEnv } from '../http/cloud-env.ts';
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
  summary: 'Whether the server answers',
  responses: pong,
});

const apiKeyRoute = createRoute({
  method: 'get',
  path: '/ping/api-key',
  tags: ['Ping'],
  summary: 'Whether an API key is taken',
  responses: { ...pong, ...REFUSALS.auth },
});

const tokenRoute = createRoute({
  method: 'get',
  path: '/ping/token',
  tags: ['Ping'],
  summary: 'Whether a bearer token is taken',
  responses: { ...pong, ...REFUSALS.auth },
});

export function pingRoutes({ clock }: CloudContext): OpenAPIHono<CloudEnv> {
  const answer = () => ({ message: 'pong' as const, at: nowUtc(clock) });
  return createRouter()
    .openapi(pingRoute, (c) => c.json(answer(), 200))
    .openapi(apiKeyRoute, (c) => c.json(answer(), 200))
    .openapi(tokenRoute, (c) => c.json(answer(), 200));
}
