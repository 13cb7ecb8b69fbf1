import { nowUtc } from '@hlid/node/clock';
import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Thing } from '@hlid/protocol/base/mistakes/refusals/calls-en';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { accessDenied, inputError, refuse } from '../../platform/http/errors.ts';
import { listOf, wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, json, jsonBody, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { Refused } from '../../platform/refused.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import {
  actionsOfPasskey,
  FactorActionsSchema,
  PasskeyActionsSchema,
} from '../second-factors/factor-actions.ts';
import { type PasskeyRow, passkeysOf } from '../second-factors/factors.ts';
import { beginPasskey, readNewPasskey, relyingPartyOf } from '../second-factors/passkeys.ts';
import {
  changePasskey,
  type DENIED,
  type Enrolled,
  enrolTotp,
  factorsOfAccount,
  finishTotp,
  managedLogins,
  ownLogin,
  removePasskey,
  removeTotp,
  renewCodes,
  storePasskey,
} from './change-factors.ts';
import type { SessionActor } from './open-session.ts';
import {
  NEW_PASSKEY_EXAMPLE,
  NewPasskeyOptionsSchema,
  NewPasskeyResponseSchema,
  newPasskeyResponse,
} from './passkey-schemas.ts';

const tags = ['Sessions'];
const NameSchema = TypedTextSchema.trim().min(1).max(100);

const PasskeySchema = z
  .strictObject({
    id: z.string(),
    tokenId: z.string().describe('The login that it opens.'),
    name: z.string(),
    createdOn: UtcTimeSchema,
    usedOn: UtcTimeSchema.nullable(),
    actions: PasskeyActionsSchema,
  })
  .meta({ id: 'Passkey' });

const TotpSchema = z
  .strictObject({
    tokenId: z.string().describe('The login.'),
    since: UtcTimeSchema.nullable().describe('Null: it has no codes by time.'),
    recoveryCodes: z.int().min(0).describe('How many are left.'),
    actions: FactorActionsSchema,
  })
  .meta({ id: 'TotpState' });

const EnrolledSchema = z
  .strictObject({
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .describe(
        'Ten codes with the first second factor, each good once, shown this once; null with another one.',
      ),
  })
  .meta({ id: 'Enrolled' });

const PasskeyParamsSchema = IdParamSchema.extend({
  passkeyId: z
    .string()
    .max(2000)
    .openapi({ param: { name: 'passkeyId', in: 'path' }, example: 'kO3c…' }),
});

const path = {
  passkeys: '/accounts/{id}/passkeys',
  passkey: '/accounts/{id}/passkeys/{passkeyId}',
  totp: '/accounts/{id}/totp',
} as const;
const enrolledAnswer = {
  200: { description: 'It counts from now on', content: json(EnrolledSchema) },
  ...WRITE_REFUSALS,
};

const listRoute = createRoute({
  method: 'get',
  path: path.passkeys,
  tags,
  summary: 'List the passkeys of an account, oldest first',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'Passkeys', content: json(listOf(PasskeySchema)) },
    ...WRITE_REFUSALS,
  },
});

const optionsRoute = createRoute({
  method: 'post',
  path: `${path.passkeys}/options`,
  tags,
  summary: 'Begin with a passkey for the own login',
  request: { params: IdParamSchema },
  responses: {
    200: {
      description: 'For `navigator.credentials.create`; good once, for five minutes',
      content: json(NewPasskeyOptionsSchema),
    },
    ...WRITE_REFUSALS,
  },
});

const addRoute = createRoute({
  method: 'post',
  path: path.passkeys,
  tags,
  summary: 'Add a passkey to the own login',
  description: 'Other sessions and tokens of the login end.',
  request: {
    params: IdParamSchema,
    body: jsonBody(
      z.strictObject({ name: NameSchema, response: NewPasskeyResponseSchema }).meta({
        id: 'NewPasskey',
        description: 'What a browser has made, and what it is to be called.',
        example: { name: 'Telephone', response: NEW_PASSKEY_EXAMPLE },
      }),
    ),
  },
  responses: enrolledAnswer,
});

const renameRoute = createRoute({
  method: 'put',
  path: path.passkey,
  tags,
  summary: 'Rename a passkey of the own account',
  request: {
    params: PasskeyParamsSchema,
    body: jsonBody(
      z.strictObject({ name: NameSchema }).meta({ id: 'PasskeyName', example: { name: 'Telephone' } }),
    ),
  },
  responses: { 200: { description: 'Named', content: json(PasskeySchema) }, ...WRITE_REFUSALS },
});

const removeRoute = createRoute({
  method: 'delete',
  path: path.passkey,
  tags,
  summary: 'Remove a passkey',
  request: { params: PasskeyParamsSchema },
  responses: { 204: { description: 'Removed' }, ...WRITE_REFUSALS },
});

const totpRoute = createRoute({
  method: 'get',
  path: path.totp,
  tags,
  summary: 'List which logins of an account have codes by time (TOTP)',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'The logins', content: json(listOf(TotpSchema)) },
    ...WRITE_REFUSALS,
  },
});

const beginTotpRoute = createRoute({
  method: 'post',
  path: path.totp,
  tags,
  summary: 'Begin with codes by time for the own login',
  description: 'They count once POST /accounts/{id}/totp/confirm has had a first code.',
  request: { params: IdParamSchema },
  responses: {
    200: {
      description: 'The secret, shown this once',
      content: json(
        z
          .strictObject({
            secret: z.string().describe('Base32, to be typed.'),
            uri: z.string().describe('`otpauth://…`, to be shown as a QR code.'),
          })
          .meta({ id: 'TotpSecret' }),
      ),
    },
    ...WRITE_REFUSALS,
  },
});

const confirmTotpRoute = createRoute({
  method: 'post',
  path: `${path.totp}/confirm`,
  tags,
  summary: 'Show a first code by time',
  description: 'Other sessions and tokens of the login end.',
  request: {
    params: IdParamSchema,
    body: jsonBody(
      z
        .strictObject({ code: z.string().min(6).max(12) })
        .meta({ id: 'TotpCode', example: { code: '287082' } }),
    ),
  },
  responses: enrolledAnswer,
});

const removeTotpRoute = createRoute({
  method: 'delete',
  path: path.totp,
  tags,
  summary: 'Remove the codes by time: of the own login, or of all logins of another account',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Removed' }, ...WRITE_REFUSALS },
});

const codesRoute = createRoute({
  method: 'post',
  path: '/accounts/{id}/recovery-codes',
  tags,
  summary: 'Make ten recovery codes for the own login, in place of those that are left',
  request: { params: IdParamSchema },
  responses: {
    200: {
      description: 'Shown this once',
      content: json(z.strictObject({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })),
    },
    ...WRITE_REFUSALS,
  },
});

/** Second factors of the logins of accounts. */
export function factorRoutes({ db, clock, publicUrl }: CloudContext) {
  const actorOf = (c: Context<CloudEnv>): SessionActor => ({
    caller: callerOf(c, 'account'),
    at: nowUtc(clock),
    requestId: c.get('requestId'),
  });
  const partyOf = (c: Context<CloudEnv>) => relyingPartyOf(publicUrl(), c.req.header('origin'));

  return createRouter()
    .openapi(listRoute, async (c) => {
      const { id: accountId } = c.req.valid('param');
      const actor = actorOf(c);
      const found = await db.read(async (q) => {
        const managed = await managedLogins(q, actor, accountId);
        if (!managed.ok) return managed;
        const ids = managed.logins.map(({ id }) => id);
        return { ok: true as const, passkeys: await passkeysOf(q, ids) };
      });
      if (!found.ok) return refuseFactor(c, 'account', found);
      return c.json(wholeList(found.passkeys.map((row) => passkeyFrom(row, actor, accountId))), 200);
    })
    .openapi(optionsRoute, async (c) => {
      const actor = actorOf(c);
      const own = await db.read((q) => ownLogin(q, actor, c.req.valid('param').id));
      if (!own.ok) return refuseFactor(c, 'account', own);
      const userName = own.login.name ?? own.login.accountId;
      const holder = { loginId: own.login.id, userName, displayName: userName };
      return c.json(await beginPasskey(db, partyOf(c), holder, actor.at), 200);
    })
    .openapi(addRoute, async (c) => {
      const actor = actorOf(c);
      const { id } = c.req.valid('param');
      const { name, response } = c.req.valid('json');
      const own = await db.read((q) => ownLogin(q, actor, id));
      if (!own.ok) return refuseFactor(c, 'account', own);
      const made = { loginId: own.login.id, name, response: newPasskeyResponse(response) };
      const passkey = await readNewPasskey(db, partyOf(c), made, actor.at);
      if (passkey === null) return inputError(c, mistake('passkey-not-made', 'response'));
      return enrolled(c, await storePasskey(db, actor, id, passkey));
    })
    .openapi(renameRoute, async (c) => {
      const { id: accountId, passkeyId: id } = c.req.valid('param');
      const { name } = c.req.valid('json');
      const actor = actorOf(c);
      const changed = await changePasskey(db, actor, { accountId, id, name });
      if (!changed.ok) return refuseFactor(c, 'passkey', changed);
      return c.json(passkeyFrom(changed.passkey, actor, accountId), 200);
    })
    .openapi(removeRoute, async (c) => {
      const { id: accountId, passkeyId: id } = c.req.valid('param');
      const removed = await removePasskey(db, actorOf(c), { accountId, id });
      return removed.ok ? c.body(null, 204) : refuseFactor(c, 'passkey', removed);
    })
    .openapi(totpRoute, async (c) => {
      const found = await db.read((q) => factorsOfAccount(q, actorOf(c), c.req.valid('param').id));
      return found.ok ? c.json(wholeList(found.logins), 200) : refuseFactor(c, 'account', found);
    })
    .openapi(beginTotpRoute, async (c) => {
      const begun = await enrolTotp(db, actorOf(c), c.req.valid('param').id);
      return begun.ok ? c.json(begun.begun, 200) : refuseFactor(c, 'account', begun);
    })
    .openapi(confirmTotpRoute, async (c) => {
      const { code } = c.req.valid('json');
      return enrolled(c, await finishTotp(db, actorOf(c), c.req.valid('param').id, code));
    })
    .openapi(removeTotpRoute, async (c) => {
      const removed = await removeTotp(db, actorOf(c), c.req.valid('param').id);
      return removed.ok ? c.body(null, 204) : refuseFactor(c, 'account-with-codes', removed);
    })
    .openapi(codesRoute, async (c) => {
      const made = await renewCodes(db, actorOf(c), c.req.valid('param').id);
      if (!made.ok) return refuseFactor(c, 'account', made);
      return c.json({ recoveryCodes: made.recoveryCodes }, 200);
    });
}

/** A session that had to enrol is open from then on, and has a new cookie. */
function enrolled(c: Context<CloudEnv>, done: Enrolled | Refused | typeof DENIED) {
  if (!done.ok) return refuseFactor(c, 'account', done);
  const { opened, recoveryCodes } = done;
  if (opened !== null) setSessionCookie(c, opened.secret, opened.lifeMs);
  return c.json({ recoveryCodes }, 200);
}

function refuseFactor(c: Context<CloudEnv>, what: Thing, refused: Refused | typeof DENIED) {
  return refused.reason === 'denied' ? accessDenied(c) : refuse(c, what, refused);
}

function passkeyFrom(
  { id, loginId, name, createdAt, usedAt }: PasskeyRow,
  { caller }: SessionActor,
  accountId: string,
): z.infer<typeof PasskeySchema> {
  const actions = actionsOfPasskey(caller, accountId);
  return { id, tokenId: loginId, name, createdOn: createdAt, usedOn: usedAt, actions };
}
