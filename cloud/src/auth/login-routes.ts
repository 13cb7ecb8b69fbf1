import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { AccountSchema, accountFrom } from '../accounts/account.ts';
import { EVENTS } from '../events.ts';
import type { CloudContext, CloudEnv } from '../http/cloud-env.ts';
import { inputError, mustAuthenticate, REFUSALS, tooManyRequests } from '../http/errors.ts';
import { createRouter } from '../http/router.ts';
import { logIn } from './login.ts';

const LoginBodySchema = z
  .strictObject({
    device_uuid: z.string().min(1).max(200),
    provider: z.enum(['password', 'lost-password', 'change-password', 'token']),
    id: z.string().min(1).max(320),
    password: z.string().min(1).max(1024),
  })
  .meta({
    id: 'LoginBody',
    example: {
      device_uuid: '6c1b9d6e-0f0a-4c0e-9a51-f4c0a1d2b3e4',
      provider: 'password',
      id: 'operator',
      password: 'correct horse battery staple',
    },
  });

const LoginAnswerSchema = z
  .strictObject({ access_token: z.string(), expiresOn: UtcTimeSchema, account: AccountSchema })
  .meta({ id: 'LoginAnswer' });

const loginRoute = createRoute({
  method: 'post',
  path: '/auth/login',
  tags: ['Auth'],
  summary: 'Log in, for a bearer token',
  request: {
    body: { required: true, content: { 'application/json': { schema: LoginBodySchema } } },
  },
  responses: {
    200: {
      description: 'Logged in',
      content: { 'application/json': { schema: LoginAnswerSchema } },
    },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.tooMany,
  },
});

export function loginRoutes({ db, clock, log }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter().openapi(loginRoute, async (c) => {
    const { device_uuid: deviceUuid, provider, id, password } = c.req.valid('json');
    if (provider !== 'password') {
      return inputError(c, `provider: ${provider} is not available on this server yet`);
    }
    const address = c.env?.incoming?.socket.remoteAddress ?? 'unknown';
    const answer = await logIn(db, clock, { id, password, deviceUuid, address });
    const requestId = c.get('requestId');
    if (!answer.ok) {
      log.warn({ event: EVENTS.loginRefused, requestId, reason: answer.reason, address });
      return answer.reason === 'too-many'
        ? tooManyRequests(c, answer.retryAfterSeconds)
        : mustAuthenticate(c, 'Wrong id or password.');
    }
    log.info({ event: EVENTS.loginAccepted, requestId, account: answer.account.id, address });
    return c.json(
      {
        access_token: answer.token,
        expiresOn: answer.expiresAt,
        account: accountFrom(answer.account),
      },
      200,
    );
  });
}
