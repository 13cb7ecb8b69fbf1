import { nowUtc } from '@hlid/node/clock';
import { type OfficeLanguage, OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { EVENTS } from '../../platform/events.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { accessDenied, notFound, REFUSALS, refuse, tooManyRequests } from '../../platform/http/errors.ts';
import { listOf, wholeList } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  responses,
  WRITE_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findAccount, isOwnAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { loginsOf } from '../../records/accounts/find-logins.ts';
import { NewPasswordSchema } from '../auth/password-rules.ts';
import { createLogin, deleteLogin, moveLogin } from './change-logins.ts';
import { changePassword } from './change-password.ts';
import { InvitationSchema, invite } from './invite.ts';
import { LoginMoveSchema, LoginNameQuerySchema, LoginSchema, loginFrom, NewLoginSchema } from './login.ts';
import { recoverPassword } from './recover-password.ts';

const tags = ['Accounts'];

const listRoute = createRoute({
  method: 'get',
  path: '/accounts/{id}/logins',
  tags,
  summary: 'List the logins of an account',
  request: { params: IdParamSchema },
  responses: responses.read(listOf(LoginSchema), 'Logins'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/accounts/{id}/logins',
  tags,
  summary: 'Add a login to an account',
  request: { params: IdParamSchema, body: jsonBody(NewLoginSchema) },
  responses: responses.write(LoginSchema, 'Created'),
});

const inviteRoute = createRoute({
  method: 'post',
  path: '/accounts/{id}/invite',
  tags,
  summary: 'Mail a person the link for choosing a first password, again if need be',
  description: 'The link is valid once, for seven days. Earlier links of the login are no longer valid.',
  request: { params: IdParamSchema, body: jsonBody(InvitationSchema) },
  responses: responses.write(LoginSchema, 'Invited'),
});

const moveRoute = createRoute({
  method: 'put',
  path: '/accounts/{id}/logins',
  tags,
  summary: 'Move a login to another account; its tokens are revoked',
  request: { params: IdParamSchema, body: jsonBody(LoginMoveSchema) },
  responses: responses.write(LoginSchema, 'Moved'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/accounts/{id}/logins',
  tags,
  summary: 'Delete a login; its tokens are revoked',
  request: { params: IdParamSchema, query: LoginNameQuerySchema },
  responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
});

const passwordRoute = createRoute({
  method: 'post',
  path: '/accounts/{id}/change-password',
  tags,
  summary: 'Set a password; all tokens of the account are revoked, including the caller’s',
  description:
    'Operators set any password, others their own. Your own password also needs `currentPassword` if ' +
    'you logged in more than 15 minutes ago. All tokens of the account are revoked, including the ' +
    'one of this call: log in again.',
  request: {
    params: IdParamSchema,
    body: jsonBody(
      z
        .strictObject({
          tokenId: z.string().min(1).max(100).describe('The id of the login.'),
          password: NewPasswordSchema,
          currentPassword: z.string().min(1).max(1024).optional(),
        })
        .meta({
          id: 'PasswordChange',
          example: { tokenId: '5f1c…', password: 'þrjár gular kýr' },
        }),
    ),
  },
  responses: { 204: { description: 'Set' }, ...WRITE_REFUSALS, ...REFUSALS.tooMany },
});

const SENT = {
  202: {
    description: 'Accepted',
    content: json(z.strictObject({ messages: z.array(z.string()) }).meta({ id: 'RecoveryAnswer' })),
  },
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.tooMany,
};

const recoverRoute = createRoute({
  method: 'post',
  path: '/accounts/recover-password',
  tags,
  summary: 'Send a password reset link',
  description:
    'The answer is the same whether a login has that address or not. The link is valid once, for 15 ' +
    'minutes. Its token is the password of POST /auth/login with the provider `lost-password`.',
  request: {
    body: jsonBody(
      z
        .strictObject({ email: z.string().min(1).max(320) })
        .meta({ id: 'PasswordRecovery', example: { email: 'anna@example.is' } }),
    ),
  },
  responses: SENT,
});

const forgottenRoute = createRoute({
  method: 'post',
  path: '/session/forgotten-password',
  tags,
  summary: 'Send a password reset link to somebody at the login page',
  description: 'As POST /accounts/recover-password, from a page of this cloud and without an API key.',
  request: {
    body: jsonBody(
      z
        .strictObject({ email: z.string().min(1).max(320), language: OfficeLanguageSchema.optional() })
        .meta({ id: 'ForgottenPassword', example: { email: 'anna@example.is', language: 'en' } }),
    ),
  },
  responses: SENT,
});

/** Logins of accounts, and their passwords. */
export function accountLoginRoutes(context: CloudContext) {
  const { db, clock, log } = context;
  return createRouter()
    .openapi(recoverRoute, async (c) => {
      const { email } = c.req.valid('json');
      return await recover(c, email, null);
    })
    .openapi(forgottenRoute, async (c) => {
      const { email, language = null } = c.req.valid('json');
      return await recover(c, email, language);
    })
    .openapi(listRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account'));
      const [account, logins] = await db.read(
        async (q) => [await findAccount(q, id), await loginsOf(q, [id])] as const,
      );
      if (account === null || !seesAccount(own, account)) return notFound(c, 'account');
      if (!own.all && !isOwnAccount(own, id)) return accessDenied(c);
      return c.json(wholeList(logins.map(loginFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const { id } = c.req.valid('param');
      const made = await createLogin(db, actorOf(c, clock), id, c.req.valid('json'), context.publicUrl());
      if (!made.ok) return made.reason === 'denied' ? accessDenied(c) : refuse(c, 'account', made);
      return c.json(loginFrom(made.login), 303, { Location: loginsPath(id) });
    })
    .openapi(inviteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const invited = { ...c.req.valid('json'), publicUrl: context.publicUrl() };
      const made = await invite(db, actorOf(c, clock), id, invited);
      if (!made.ok) return made.reason === 'denied' ? accessDenied(c) : refuse(c, 'account', made);
      return c.json(loginFrom(made.login), 303, { Location: loginsPath(id) });
    })
    .openapi(moveRoute, async (c) => {
      const { id } = c.req.valid('param');
      const moved = await moveLogin(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!moved.ok) return moved.reason === 'denied' ? accessDenied(c) : refuse(c, 'login', moved);
      return c.json(loginFrom(moved.login), 303, { Location: loginsPath(moved.login.accountId) });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteLogin(db, actorOf(c, clock), id, c.req.valid('query'));
      if (deleted.ok) return c.body(null, 204);
      return deleted.reason === 'denied' ? accessDenied(c) : refuse(c, 'login', deleted);
    })
    .openapi(passwordRoute, async (c) => {
      const { id: accountId } = c.req.valid('param');
      const { tokenId: loginId, password, currentPassword } = c.req.valid('json');
      const change = { accountId, loginId, password, currentPassword, address: addressOf(c) };
      const set = await changePassword(db, actorOf(c, clock), change);
      return set.ok ? c.body(null, 204) : refusePassword(c, set);
    });

  async function recover(c: Context<CloudEnv>, email: string, language: OfficeLanguage | null) {
    const address = addressOf(c);
    const question = { email, address, language, at: nowUtc(clock) };
    const wait = await recoverPassword(db, context.publicUrl(), question);
    log.info({ event: EVENTS.recoveryAsked, requestId: c.get('requestId'), address });
    if (wait !== null) return tooManyRequests(c, wait);
    const message = 'If somebody logs in by that address, mail with a link is on its way.';
    return c.json({ messages: [message] }, 202);
  }
}

function refusePassword(
  c: Context<CloudEnv>,
  refused: Exclude<Awaited<ReturnType<typeof changePassword>>, { ok: true }>,
) {
  switch (refused.reason) {
    case 'denied':
      return accessDenied(c);
    case 'too-many':
      return tooManyRequests(c, refused.retryAfterSeconds);
    default:
      return refuse(c, 'login', refused);
  }
}

function loginsPath(accountId: string): string {
  return `/accounts/${accountId}/logins`;
}
