import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { PERMISSIONS } from '../../platform/http/caller.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { findLoginById } from '../../records/accounts/find-logins.ts';
import { LOGIN_METHODS } from '../../records/auth/token-table.ts';
import { AccountSchema, accountFrom } from '../accounts/account.ts';
import { idleMsOf, steppedUpUntil } from '../auth/session-life.ts';
import { accountOfToken, type SessionRow, sessionRow } from '../auth/tokens.ts';
import { factorsOf } from '../second-factors/factors.ts';
import { actionsOfSession, SessionActionsSchema } from './session-actions.ts';

const STATUSES = ['open', 'second-factor', 'enrol'] as const;

/** A session as its browser is shown it. */
export const SessionViewSchema = z
  .strictObject({
    id: z.string().describe('The id of its token, as in GET /accounts/{id}/tokens.'),
    status: z
      .enum(STATUSES)
      .describe(
        '`second-factor`: show it, by POST /session/totp or a passkey. `enrol`: operators need a second factor here, and ' +
          'this one has none: set one up. Nothing else is let in meanwhile.',
      ),
    account: AccountSchema,
    email: z.string().nullable().describe('The name of the login, which is an email address as a rule.'),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .describe('The permissions of an operator; empty for other accounts.'),
    siteIds: z.array(z.string()).nullable().describe('The sites of an operator; null: every site.'),
    actions: SessionActionsSchema,
    method: z.enum(LOGIN_METHODS).describe('How its holder logged in.'),
    createdOn: UtcTimeSchema,
    expiresOn: UtcTimeSchema.describe('When it ends, however much it is used.'),
    idleMinutes: z.int().min(1).describe('How long it lasts unused.'),
    steppedUpUntil: UtcTimeSchema.nullable().describe(
      'Until then what needs a fresh proof is let through; null: POST /session/step-up first.',
    ),
    factors: z.strictObject({
      totp: z.boolean().describe('Codes by time.'),
      passkeys: z.int().min(0),
      recoveryCodes: z.int().min(0).describe('How many are left.'),
    }),
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof SessionViewSchema>;

/** The session, or the token, with that id as its holder sees it; null: it has ended meanwhile. */
export async function sessionView(q: Queries, tokenId: string, now: UtcTime): Promise<SessionView | null> {
  const row = await sessionRow(q, tokenId);
  const caller = await accountOfToken(q, tokenId, now);
  const account = row?.accountId ? await findAccount(q, row.accountId) : null;
  if (row === null || account === null || caller === null || row.revokedAt !== null) return null;
  const login = row.loginId === null ? null : await findLoginById(q, row.loginId);
  const factors = row.loginId === null ? null : await factorsOf(q, row.loginId);
  const { role, permissions, siteIds } = account;
  const until = steppedUpUntil(row.steppedUpAt, now);
  return {
    id: tokenId,
    status: statusOf(row),
    account: accountFrom(account),
    email: login?.login.name ?? null,
    permissions: role === 'operator' ? [...(permissions ?? PERMISSIONS)] : [],
    siteIds: siteIds === null ? null : [...siteIds],
    actions: actionsOfSession(caller),
    method: row.method ?? 'password',
    createdOn: row.createdAt,
    expiresOn: row.expiresAt ?? row.createdAt,
    idleMinutes: idleMsOf({ role, rights: { permissions, siteIds } }) / MINUTE_MS,
    steppedUpUntil: until === null ? null : utcTime(until),
    factors: {
      totp: (factors?.totpSince ?? null) !== null,
      passkeys: factors?.passkeys.length ?? 0,
      recoveryCodes: factors?.recoveryCodes ?? 0,
    },
  };
}

function statusOf({ scope }: SessionRow): SessionView['status'] {
  return scope === 'second-factor' || scope === 'enrol' ? scope : 'open';
}
