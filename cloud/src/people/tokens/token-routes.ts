import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import type { Db } from '../../platform/db/db.ts';
import { ownRows, type RequestCaller, TOKEN_ROLES } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { accessDenied, notFound, refuse } from '../../platform/http/errors.ts';
import {
  type Cursor,
  CursorParamSchema,
  listOf,
  placeByCreation,
  readPage,
} from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
  WRITE_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { ACCOUNT_ACTIONS, accountFacts } from '../accounts/account-actions.ts';
import { createPhotoToken, createRoleToken, endToken } from './change-tokens.ts';
import {
  AccountTokenSchema,
  accountTokenFrom,
  IssuedPhotoTokenSchema,
  IssuedTokenSchema,
  MachineTokenSchema,
  machineTokenFrom,
  NewPhotoTokenSchema,
  NewRoleTokenSchema,
} from './token.ts';
import { countTokens, listTokens, type WhichTokens } from './token-list-store.ts';

const tags = ['Tokens'];

const AccountTokenParamsSchema = IdParamSchema.extend({
  tokenId: z.string().openapi({ param: { name: 'tokenId', in: 'path' }, example: 'c2f1…' }),
});

const roleRoute = createRoute({
  method: 'post',
  path: '/admin/create-role-bearer-token',
  tags,
  summary: 'Create a machine token',
  description: 'The token is valid until it is revoked, and shown only now.',
  request: { body: jsonBody(NewRoleTokenSchema) },
  responses: {
    200: { description: 'The token', content: json(IssuedTokenSchema) },
    ...WRITE_REFUSALS,
  },
});

const photoRoute = createRoute({
  method: 'post',
  path: '/admin/create-photo-token',
  tags,
  summary: 'Create a token for a camera that posts its reads',
  description:
    'The token is used in the address (`?token=…`), because cameras support nothing better, and is ' +
    'valid only there.',
  request: { body: jsonBody(NewPhotoTokenSchema) },
  responses: {
    200: { description: 'The token, and the address to post to', content: json(IssuedPhotoTokenSchema) },
    ...WRITE_REFUSALS,
  },
});

const listRoute = createRoute({
  method: 'get',
  path: '/admin/tokens',
  tags,
  summary: 'List machine tokens, newest first, without their secrets',
  request: {
    query: z.strictObject({ role: z.enum(TOKEN_ROLES).optional(), next: CursorParamSchema.optional() }),
  },
  responses: responses.list(MachineTokenSchema, 'Tokens'),
});

const revokeRoute = createRoute({
  method: 'delete',
  path: '/admin/tokens/{id}',
  tags,
  summary: 'Revoke a machine token',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Revoked' }, ...WRITE_REFUSALS },
});

const accountListRoute = createRoute({
  method: 'get',
  path: '/accounts/{id}/tokens',
  tags,
  summary: 'List the tokens of an account, newest first',
  request: { params: IdParamSchema, query: z.strictObject({ next: CursorParamSchema.optional() }) },
  responses: {
    200: { description: 'Tokens', content: json(listOf(AccountTokenSchema)) },
    ...LIST_REFUSALS,
    ...READ_REFUSALS,
  },
});

const accountRevokeRoute = createRoute({
  method: 'delete',
  path: '/accounts/{id}/tokens/{tokenId}',
  tags,
  summary: 'Revoke a token of an account',
  request: { params: AccountTokenParamsSchema },
  responses: { 204: { description: 'Revoked' }, ...WRITE_REFUSALS },
});

export function tokenRoutes({ db, clock, publicUrl }: CloudContext) {
  return createRouter()
    .openapi(roleRoute, async (c) => {
      const made = await createRoleToken(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'token', made);
      const { id, token } = made.issued;
      return c.json({ id, access_token: token }, 200);
    })
    .openapi(photoRoute, async (c) => {
      const made = await createPhotoToken(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'camera', made);
      const { id, token } = made.issued;
      const url = `${publicUrl()}/photos/{type}?token=${token}`;
      return c.json({ id, access_token: token, url }, 200);
    })
    .openapi(listRoute, async (c) => {
      const { role, next } = c.req.valid('query');
      const page = await pageOf({ machines: { role } }, next);
      return c.json({ ...page, data: page.data.map(machineTokenFrom) }, 200);
    })
    .openapi(revokeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const ended = await endToken(db, actorOf(c, clock), id, { machines: {} });
      return ended.ok ? c.body(null, 204) : refuse(c, 'token', ended);
    })
    .openapi(accountListRoute, async (c) => {
      const { id: accountId } = c.req.valid('param');
      const { next } = c.req.valid('query');
      const caller = callerOf(c, 'account');
      const may = await mayManageTokensOf(db, caller, accountId);
      if (may !== 'yes') return may === 'unseen' ? notFound(c, 'account') : accessDenied(c);
      const page = await pageOf({ accountId }, next);
      return c.json({ ...page, data: page.data.map((row) => accountTokenFrom(row, caller.tokenId)) }, 200);
    })
    .openapi(accountRevokeRoute, async (c) => {
      const { id: accountId, tokenId } = c.req.valid('param');
      const may = await mayManageTokensOf(db, callerOf(c, 'account'), accountId);
      if (may !== 'yes') return may === 'unseen' ? notFound(c, 'account') : accessDenied(c);
      const ended = await endToken(db, actorOf(c, clock), tokenId, { accountId });
      return ended.ok ? c.body(null, 204) : refuse(c, 'token', ended);
    });

  async function pageOf(which: WhichTokens, cursor: Cursor | undefined) {
    const now = nowUtc(clock);
    return await db.read((q) =>
      readPage(
        { cursor },
        placeByCreation,
        (limit) => listTokens(q, which, now, { cursor, limit }),
        () => countTokens(q, which, now),
      ),
    );
  }
}

/** Whether the caller may look after an account's tokens: its own, or as an operator those of accounts with no more rights. */
async function mayManageTokensOf(
  db: Db,
  caller: Extract<RequestCaller, { kind: 'account' }>,
  accountId: string,
): Promise<'yes' | 'no' | 'unseen'> {
  const own = ownRows(caller);
  return await db.read(async (q) => {
    const account = await findAccount(q, accountId);
    if (account === null || !seesAccount(own, account)) return 'unseen';
    const facts = await accountFacts(q, caller, account);
    return ACCOUNT_ACTIONS['end-session'].refuse(facts) === null ? 'yes' : 'no';
  });
}
