import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import { EVENTS } from '../../platform/events.ts';
import { addressOf, agentOf } from '../../platform/http/address-of.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { mustAuthenticate, REFUSALS, tooManyRequests } from '../../platform/http/errors.ts';
import { json, jsonBody } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { revokeToken } from '../auth/tokens.ts';
import { AccountSchema, accountFrom } from './account.ts';
import { LOGIN_PROVIDERS, logIn } from './log-in.ts';

const tags = ['Auth'];

const LoginBodySchema = z
  .strictObject({
    device_uuid: z
      .string()
      .min(1)
      .max(200)
      .describe('Identifies the device; a new login there ends the previous one.'),
    provider: z.enum(LOGIN_PROVIDERS),
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
  .strictObject({
    access_token: z.string(),
    expiresOn: UtcTimeSchema,
    account: AccountSchema,
    endedSessions: z
      .int()
      .min(0)
      .describe("The account's sessions on this device that ended because of this login."),
  })
  .meta({ id: 'LoginAnswer' });

const loginRoute = createRoute({
  method: 'post',
  path: '/auth/login',
  tags,
  summary: 'Log in and get a bearer token',
  description: [
    'By `provider`:',
    '- `password`: `id` is the email address of a login, or the national id of its holder, `password` its password.',
    '- `lost-password`: the same `id`; `password` is the token of the recovery mail, valid once. The access token is valid',
    '  for 15 minutes, and only for POST /accounts/{id}/change-password without the current password.',
    '- `change-password`: `id` and `password` as with `password`; the access token is as with `lost-password`.',
    '- `token`: `id` is the id of an account or of a token, `password` an access token of that account. The new token',
    '  replaces it.',
    '',
    'A session on the same device (`device_uuid`) ends; `endedSessions` lists it. Sessions on other devices continue.',
    '',
    'An expired login and an inactive account are refused like a wrong password. A login with a second factor gets',
    'no token by its password: its holder logs in with a browser (POST /session).',
  ].join('\n'),
  request: { body: jsonBody(LoginBodySchema) },
  responses: {
    200: { description: 'Logged in', content: json(LoginAnswerSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.tooMany,
  },
});

const logoutRoute = createRoute({
  method: 'post',
  path: '/auth/logout',
  tags,
  summary: 'Log out; the token is revoked',
  responses: { 204: { description: 'Logged out' }, ...REFUSALS.auth },
});

export function loginRoutes({ db, clock, log }: CloudContext) {
  return createRouter()
    .openapi(loginRoute, async (c) => {
      const { device_uuid: deviceUuid, ...question } = c.req.valid('json');
      const address = addressOf(c);
      const answer = await logIn(db, clock, { ...question, deviceUuid, address, agent: agentOf(c) });
      const { provider } = question;
      const requestId = c.get('requestId');
      if (!answer.ok) {
        log.warn({ event: EVENTS.loginRefused, requestId, provider, reason: answer.reason, address });
        return answer.reason === 'too-many'
          ? tooManyRequests(c, answer.retryAfterSeconds)
          : mustAuthenticate(c, mistake(answer.reason === 'wrong' ? 'wrong-login' : 'browser-login-needed'));
      }
      log.info({ event: EVENTS.loginAccepted, requestId, provider, account: answer.account.id, address });
      return c.json(
        {
          access_token: answer.token,
          expiresOn: answer.expiresAt,
          endedSessions: answer.endedSessions,
          account: accountFrom(answer.account),
        },
        200,
      );
    })
    .openapi(logoutRoute, async (c) => {
      const { tokenId, accountId } = callerOf(c, 'account');
      await db.write((tx) => revokeToken(tx, tokenId, nowUtc(clock)));
      log.info({ event: EVENTS.loggedOut, requestId: c.get('requestId'), account: accountId });
      return c.body(null, 204);
    });
}
