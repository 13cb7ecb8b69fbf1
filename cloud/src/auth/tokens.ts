import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { type AccountOptions, accountTable } from '../accounts/record/account-table.ts';
import type { Db, Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { RequestCaller, TokenRole } from '../http/caller.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { deleteExpiredDriverLinks } from './driver-links.ts';
import { deleteExpiredRecoveries } from './recovery-links.ts';
import { hashSecret, makeSecret } from './token-secret.ts';
import { apiKeyTable, tokenTable as t } from './token-table.ts';

/** What a token is given to. */
export type TokenHolder =
  | {
      accountId: string;
      deviceUuid: string | null;
      loginId?: string | null;
      /** `password`: for nothing but a new password of that login. */
      scope?: 'password' | null;
    }
  | {
      role: TokenRole;
      name: string;
      options?: AccountOptions | undefined;
      siteId?: string | undefined;
    }
  | { driverId: string }
  | { cameraId: string; name: string }
  | { path: string };

/** Who comes with a token, and when it was used last. */
export interface KnownToken {
  caller: Extract<RequestCaller, { tokenId: string }>;
  loginId: string | null;
  usedOn: string | null;
}

const tokenByHash = prepared((q) =>
  q
    .select({
      tokenId: t.id,
      tokenRole: t.role,
      driverId: t.driverId,
      cameraId: t.cameraId,
      path: t.path,
      loginId: t.loginId,
      scope: t.scope,
      usedOn: t.usedOn,
      accountId: accountTable.id,
      role: accountTable.role,
      customerId: accountTable.customerId,
      status: accountTable.status,
    })
    .from(t)
    .leftJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(
      and(
        eq(t.hash, sql.placeholder('hash')),
        isNull(t.revokedAt),
        or(isNull(t.expiresAt), gt(t.expiresAt, sql.placeholder('now'))),
      ),
    )
    .prepare(),
);

/** Where the kiosk of a token stands; null: unknown. */
export async function tokenSite(q: Queries, id: string): Promise<string | null> {
  const row = await q.select({ siteId: t.siteId }).from(t).where(eq(t.id, id)).get();
  return row?.siteId ?? null;
}

/** What a role's token may give by whitelisting plates. */
export async function tokenOptions(q: Queries, id: string): Promise<AccountOptions> {
  const row = await q.select({ options: t.options }).from(t).where(eq(t.id, id)).get();
  return row?.options ?? {};
}

const apiKeyByHash = prepared((q) =>
  q
    .select({ id: apiKeyTable.id })
    .from(apiKeyTable)
    .where(eq(apiKeyTable.hash, sql.placeholder('hash')))
    .prepare(),
);

/** Whether the login was used on that device, as long as its token would have been good. */
export async function wasUsedOn(
  q: Queries,
  login: { id: string; accountId: string },
  deviceUuid: string,
): Promise<boolean> {
  const row = await q
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.accountId, login.accountId), eq(t.loginId, login.id), eq(t.deviceUuid, deviceUuid)))
    .limit(1);
  return row.length > 0;
}

/** Whose token this is; null where it is none, has run out, was revoked, or its account is not active. */
export async function findToken(q: Queries, token: string, now: UtcTime): Promise<KnownToken | null> {
  const row = await tokenByHash(q).get({ hash: hashSecret(token), now });
  if (!row) return null;
  const { tokenId, tokenRole, driverId, cameraId, path, accountId, role, customerId, loginId, usedOn } = row;
  const known = { loginId, usedOn };
  if (tokenRole !== null) return { ...known, caller: { kind: 'role', role: tokenRole, tokenId } };
  if (driverId !== null) return { ...known, caller: { kind: 'driver', tokenId, driverId } };
  if (cameraId !== null) return { ...known, caller: { kind: 'photo', tokenId, cameraId } };
  if (path !== null) return { ...known, caller: { kind: 'location', tokenId, path } };
  if (accountId === null || role === null || row.status !== 'active') return null;
  const caller = { kind: 'account', accountId, role, customerId, tokenId } as const;
  if (row.scope === null) return { ...known, caller };
  // Without its login there is no password to set.
  return loginId === null ? null : { ...known, caller: { ...caller, recovering: { loginId } } };
}

export async function findApiKeyCaller(q: Queries, key: string): Promise<RequestCaller | null> {
  const row = await apiKeyByHash(q).get({ hash: hashSecret(key) });
  return row ? { kind: 'api-key', keyId: row.id } : null;
}

/** Makes a token. @returns the token, which is stored nowhere */
export async function issueToken(
  q: Queries,
  holder: TokenHolder,
  life: { from: UtcTime; until: UtcTime | null },
): Promise<{ id: string; token: string }> {
  const id = randomUUID();
  const token = makeSecret();
  await q.insert(t).values({
    id,
    hash: hashSecret(token),
    ...holder,
    createdAt: life.from,
    expiresAt: life.until,
  });
  return { id, token };
}

/** Notes the day on which a token was used. */
export async function noteTokenUse(q: Queries, id: string, day: string): Promise<void> {
  await q.update(t).set({ usedOn: day }).where(eq(t.id, id));
}

/** Since when there is a token: when its holder logged in. */
export async function tokenCreatedAt(q: Queries, id: string): Promise<UtcTime | null> {
  const [token] = await q.select({ createdAt: t.createdAt }).from(t).where(eq(t.id, id));
  return token?.createdAt ?? null;
}

export async function revokeToken(q: Queries, id: string, at: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ revokedAt: at })
    .where(and(eq(t.id, id), isNull(t.revokedAt)));
}

/**
 * Ends an account's tokens: all of them, or those of a login or of a device.
 *
 * @returns how many
 */
export async function revokeTokensOf(
  q: Queries,
  accountId: string,
  at: UtcTime,
  only: { loginId?: string; deviceUuid?: string } = {},
): Promise<number> {
  const { loginId, deviceUuid } = only;
  const ended = await q
    .update(t)
    .set({ revokedAt: at })
    .where(
      and(
        eq(t.accountId, accountId),
        isNull(t.revokedAt),
        loginId === undefined ? undefined : eq(t.loginId, loginId),
        deviceUuid === undefined ? undefined : eq(t.deviceUuid, deviceUuid),
      ),
    )
    .returning({ expiresAt: t.expiresAt });
  return ended.filter(({ expiresAt }) => expiresAt === null || expiresAt > at).length;
}

export async function revokeTokensOfDriver(q: Queries, driverId: string, at: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ revokedAt: at })
    .where(and(eq(t.driverId, driverId), isNull(t.revokedAt)));
}

export async function deleteTokensOf(q: Queries, accountId: string): Promise<void> {
  await q.delete(t).where(eq(t.accountId, accountId));
}

export async function deleteExpiredTokens(q: Queries, now: UtcTime): Promise<void> {
  await q.delete(t).where(lt(t.expiresAt, now));
}

/** Takes away tokens and links that have run out. */
export function tokenCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'token-cleaning',
    everyMs: HOUR_MS,
    work: async ({ now }) => {
      await db.write(async ({ q }) => {
        await deleteExpiredTokens(q, now);
        await deleteExpiredRecoveries(q, now);
        await deleteExpiredDriverLinks(q, now);
      });
    },
  };
}

/** Whether a token is still good, as `findToken` would find it. */
export async function isTokenLive(q: Queries, id: string, now: UtcTime): Promise<boolean> {
  const row = await liveTokenById(q).get({ id, now });
  return row !== undefined && (row.accountId === null || row.status === 'active');
}

const liveTokenById = prepared((q) =>
  q
    .select({ accountId: t.accountId, status: accountTable.status })
    .from(t)
    .leftJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(
      and(
        eq(t.id, sql.placeholder('id')),
        isNull(t.revokedAt),
        or(isNull(t.expiresAt), gt(t.expiresAt, sql.placeholder('now'))),
      ),
    )
    .prepare(),
);
