import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { EVENTS } from '../../platform/events.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError, mustAuthenticate, REFUSALS, tooManyRequests } from '../../platform/http/errors.ts';
import { json, jsonBody } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { countAttempt } from '../auth/attempt-limit.ts';
import { clearSessionCookie, setSessionCookie } from '../auth/session-cookie.ts';
import { revokeToken, tokenLogin } from '../auth/tokens.ts';
import { beginProof, relyingPartyOf } from '../second-factors/passkeys.ts';
import { Browsers } from './browsers.ts';
import { factorRoutes } from './factor-routes.ts';
import {
  type OpenedSession,
  openByPasskey,
  openSession,
  type SessionActor,
  showSecondFactor,
} from './open-session.ts';
import { PasskeyOptionsSchema, PasskeyProofSchema, passkeyProof } from './passkey-schemas.ts';
import { SessionViewSchema, sessionView } from './session-view.ts';
import { type StepUpAnswer, stepUp } from './step-up.ts';

const tags = ['Sessions'];
const CodeSchema = z
  .string()
  .min(6)
  .max(40)
  .describe('Six digits of the app, or a recovery code, which is used up by it.');
const PasswordSchema = z.string().min(1).max(1024);

const COOKIE = { 'Set-Cookie': { description: 'The session.', schema: { type: 'string' as const } } };
const opened = {
  200: {
    description: 'The session; its cookie is a new one',
    headers: COOKIE,
    content: json(SessionViewSchema),
  },
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.tooMany,
};
const options = {
  200: {
    description: 'For `navigator.credentials` of the browser; good once, for five minutes',
    content: json(PasskeyOptionsSchema),
  },
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.tooMany,
};

const openRoute = createRoute({
  method: 'post',
  path: '/session',
  tags,
  summary: 'Log in by a browser',
  description: [
    'By `id` and `password` as at POST /auth/login, or by the `token` that an electronic identity has given (POST',
    '/auth/login/stefna/status), which ends. The cookie is `__Host-hlid`, for this host alone and not to be read by a page.',
    'Where the session is not `open` yet, its `status` says what is to do.',
    '',
    'A session that the browser had before ends. One lasts for 12 hours; unused, 30 minutes where the account may',
    'do with money.',
  ].join('\n'),
  request: {
    body: jsonBody(
      z
        .union([
          z.strictObject({ id: z.string().min(1).max(320), password: PasswordSchema }),
          z.strictObject({ token: z.string().min(1).max(200) }),
        ])
        .meta({
          id: 'SessionBody',
          example: { id: 'operator', password: 'correct horse battery staple' },
        }),
    ),
  },
  responses: opened,
});

const getRoute = createRoute({
  method: 'get',
  path: '/session',
  tags,
  summary: 'Get the session: who is logged in, what they may do, and for how long',
  responses: { 200: { description: 'It', content: json(SessionViewSchema) }, ...REFUSALS.auth },
});

const endRoute = createRoute({
  method: 'delete',
  path: '/session',
  tags,
  summary: 'Log out',
  responses: { 204: { description: 'Ended' }, ...REFUSALS.auth },
});

const codeRoute = createRoute({
  method: 'post',
  path: '/session/totp',
  tags,
  summary: 'Show the second factor of a session that awaits it',
  request: {
    body: jsonBody(
      z.strictObject({ code: CodeSchema }).meta({ id: 'SecondFactor', example: { code: '287082' } }),
    ),
  },
  responses: opened,
});

const passkeyOptionsRoute = createRoute({
  method: 'post',
  path: '/session/passkey/options',
  tags,
  summary: 'Begin to log in by a passkey',
  responses: options,
});

const passkeyRoute = createRoute({
  method: 'post',
  path: '/session/passkey/verify',
  tags,
  summary: 'Log in by a passkey',
  request: { body: jsonBody(PasskeyProofSchema) },
  responses: opened,
});

const stepUpOptionsRoute = createRoute({
  method: 'post',
  path: '/session/step-up/options',
  tags,
  summary: 'Begin to step up by a passkey',
  responses: options,
});

const stepUpRoute = createRoute({
  method: 'post',
  path: '/session/step-up',
  tags,
  summary: 'Prove anew who you are',
  description:
    'For five minutes calls are let through that need a fresh proof. By a code, a passkey, or the password where the ' +
    'login has no second factor. A login counts as one too.',
  request: {
    body: jsonBody(
      z
        .union([
          z.strictObject({ code: CodeSchema }),
          z.strictObject({ passkey: PasskeyProofSchema }),
          z.strictObject({ password: PasswordSchema }),
        ])
        .meta({ id: 'StepUp', example: { code: '287082' } }),
    ),
  },
  responses: opened,
});

/** The most attempts within 15 minutes from one address: a passkey cannot be guessed. */
const PASSKEY_LIMIT = 60;
/** A passkey that has counted back has a separate code: otherwise its holder would not know what to do. */
const PASSKEY_CODES = { wrong: 'passkey-refused', 'counted-back': 'passkey-counter' } as const;
const PROOF_CODES = { wrong: 'wrong-proof', 'counted-back': 'passkey-counter' } as const;

/** Sessions of browsers. */
export function sessionRoutes(context: CloudContext) {
  const { db, clock, log } = context;
  const browsers = new Browsers(context);
  return createRouter()
    .route('/', factorRoutes(context))
    .openapi(openRoute, async (c) => {
      const answer = await openSession(context, c.req.valid('json'), await browsers.of(c));
      if (answer.ok) return await opening(c, answer);
      refused(c, answer.reason);
      return answer.reason === 'too-many'
        ? tooManyRequests(c, answer.retryAfterSeconds)
        : mustAuthenticate(c, mistake('wrong-login'));
    })
    .openapi(getRoute, async (c) => {
      const { tokenId } = callerOf(c, 'account');
      const view = await db.read((q) => sessionView(q, tokenId, nowUtc(clock)));
      return view === null ? mustAuthenticate(c) : c.json(view, 200);
    })
    .openapi(endRoute, async (c) => {
      const { tokenId, accountId } = callerOf(c, 'account');
      await db.write((tx) => revokeToken(tx, tokenId, nowUtc(clock)));
      clearSessionCookie(c);
      log.info({ event: EVENTS.loggedOut, requestId: c.get('requestId'), account: accountId });
      return c.body(null, 204);
    })
    .openapi(codeRoute, async (c) => {
      const answer = await showSecondFactor(context, actorOf(c), c.req.valid('json').code);
      return await answered(c, answer, () => inputError(c, mistake('wrong-proof', 'code')));
    })
    .openapi(passkeyOptionsRoute, async (c) => {
      const wait = await countPasskey(c);
      if (wait !== null) return tooManyRequests(c, wait);
      return c.json(await beginProof(db, partyOf(c), null, nowUtc(clock)), 200);
    })
    .openapi(passkeyRoute, async (c) => {
      const wait = await countPasskey(c);
      if (wait !== null) return tooManyRequests(c, wait);
      const answer = await openByPasskey(
        context,
        partyOf(c),
        passkeyProof(c.req.valid('json')),
        await browsers.of(c),
      );
      return await answered(c, answer, (why) => mustAuthenticate(c, mistake(PASSKEY_CODES[why])));
    })
    .openapi(stepUpOptionsRoute, async (c) => {
      const { tokenId, session } = callerOf(c, 'account');
      const loginId = await db.read((q) => tokenLogin(q, tokenId));
      if (session === undefined || loginId === null) return inputError(c, mistake('no-session-to-prove'));
      return c.json(await beginProof(db, partyOf(c), loginId, nowUtc(clock)), 200);
    })
    .openapi(stepUpRoute, async (c) => {
      const actor = actorOf(c);
      if (actor.caller.session === undefined) return inputError(c, mistake('no-session-to-prove'));
      const body = c.req.valid('json');
      const proof = 'passkey' in body ? { passkey: passkeyProof(body.passkey) } : body;
      const asked = { proof, address: addressOf(c) };
      const answer = await stepUp(context, partyOf(c), actor, asked);
      if (!answer.ok && answer.reason === 'input') return inputError(c, ...answer.mistakes);
      return await answered(c, answer, (why) => inputError(c, mistake(PROOF_CODES[why])));
    });

  function partyOf(c: Context<CloudEnv>) {
    return relyingPartyOf(context.publicUrl(), c.req.header('origin'));
  }

  function actorOf(c: Context<CloudEnv>): SessionActor {
    return { caller: callerOf(c, 'account'), at: nowUtc(clock), requestId: c.get('requestId') };
  }

  async function countPasskey(c: Context<CloudEnv>): Promise<number | null> {
    const limits = [{ key: `passkey ${addressOf(c)}`, limit: PASSKEY_LIMIT }];
    return await db.write(({ q }) => countAttempt(q, limits, nowUtc(clock)));
  }

  async function answered<Wrong>(
    c: Context<CloudEnv>,
    answer: Exclude<StepUpAnswer, { reason: 'input' }>,
    wrong: (reason: 'wrong' | 'counted-back') => Wrong,
  ) {
    if (answer.ok) return await opening(c, answer);
    refused(c, answer.reason);
    return answer.reason === 'too-many' ? tooManyRequests(c, answer.retryAfterSeconds) : wrong(answer.reason);
  }

  /** Gives the browser the new secret, and shows what it has. */
  async function opening(c: Context<CloudEnv>, { tokenId, secret, lifeMs }: OpenedSession) {
    const view = await db.read((q) => sessionView(q, tokenId, nowUtc(clock)));
    if (view === null) return mustAuthenticate(c);
    setSessionCookie(c, secret, lifeMs);
    if (view.status === 'open') await browsers.trust(c, tokenId);
    const { method, account, status } = view;
    const common = { requestId: c.get('requestId'), address: addressOf(c) };
    log.info({ event: EVENTS.loginAccepted, ...common, provider: method, account: account.id, status });
    return c.json(view, 200);
  }

  function refused(c: Context<CloudEnv>, reason: string): void {
    const common = { requestId: c.get('requestId'), address: addressOf(c) };
    log.warn({ event: EVENTS.loginRefused, ...common, provider: 'session', reason });
  }
}
