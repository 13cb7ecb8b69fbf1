import { newId } from '@hlid/node/new-id';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import {
  and,
  count,
  eq,
  eqPlaceholder,
  gt,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from '../../platform/db/sql.ts';
import type { RequestCaller, SessionStep, TokenRole } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { hashSecret, makeSecret } from '../../platform/token-secret.ts';
import { type AccountOptions, accountTable } from '../../records/accounts/account-table.ts';
import {
  apiKeyTable,
  type LoginMethod,
  type TokenScope,
  tokenTable as t,
} from '../../records/auth/token-table.ts';
import { deleteExpiredDriverLinks } from './driver-links.ts';
import { deleteExpiredRecoveries } from './recovery-links.ts';
import { isIdle } from './session-life.ts';
import { managesStaff } from './staff.ts';

/** The holder of a token. */
export type TokenHolder =
  | {
      accountId: string;
      deviceUuid: string | null;
      loginId?: string | null;
      /** See token-table.ts. */
      scope?: TokenScope | null;
      method?: LoginMethod;
      /** The address and the program of the caller. */
      address?: string;
      agent?: string | null;
    }
  | SessionHolder
  | {
      role: TokenRole;
      name: string;
      options?: AccountOptions | undefined;
      siteId?: string | undefined;
    }
  | { driverId: string }
  | { cameraId: string; name: string }
  | { path: string };

/** The holder of a session of a browser. */
export interface SessionHolder {
  isSession: true;
  accountId: string;
  loginId: string | null;
  scope: SessionStep | null;
  method: LoginMethod;
  address: string;
  agent: string | null;
  usedAt: UtcTime;
  steppedUpAt: UtcTime | null;
}

/** The announcement of a transaction when a token ends before its time; its id follows. */
export const TOKEN_ENDED = 'token-ended/';

/** The caller of a token, and the time of its last use. */
export interface KnownToken {
  caller: Extract<RequestCaller, { tokenId: string }>;
  loginId: string | null;
  usedAt: UtcTime | null;
  /** It comes in a cookie, never as a bearer token. */
  isSession: boolean;
  method: LoginMethod | null;
}

function selectKnown(q: Queries, which: SQL) {
  return q
    .select({
      tokenId: t.id,
      tokenRole: t.role,
      driverId: t.driverId,
      cameraId: t.cameraId,
      path: t.path,
      loginId: t.loginId,
      scope: t.scope,
      isSession: t.isSession,
      method: t.method,
      steppedUpAt: t.steppedUpAt,
      usedAt: t.usedAt,
      accountId: accountTable.id,
      role: accountTable.role,
      customerId: accountTable.customerId,
      status: accountTable.status,
      permissions: accountTable.permissions,
      siteIds: accountTable.siteIds,
      accountOptions: accountTable.options,
    })
    .from(t)
    .leftJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(and(which, isNull(t.revokedAt), or(isNull(t.expiresAt), gt(t.expiresAt, sql.placeholder('now')))))
    .prepare();
}

const tokenByHash = prepared((q) => selectKnown(q, eqPlaceholder(t.hash, 'hash')));
const tokenById = prepared((q) => selectKnown(q, eqPlaceholder(t.id, 'id')));
type KnownRow = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenByHash>['get']>>>;

/** The site at which the kiosk of a token stands; null: unknown. */
export async function tokenSite(q: Queries, id: string): Promise<string | null> {
  const row = await q.select({ siteId: t.siteId }).from(t).where(eq(t.id, id)).get();
  return row?.siteId ?? null;
}

/** The limits of permits by a role's token. */
export async function tokenOptions(q: Queries, id: string): Promise<AccountOptions> {
  const row = await q.select({ options: t.options }).from(t).where(eq(t.id, id)).get();
  return row?.options ?? {};
}

const apiKeyByHash = prepared((q) =>
  q.select({ id: apiKeyTable.id }).from(apiKeyTable).where(eqPlaceholder(apiKeyTable.hash, 'hash')).prepare(),
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

/** The holder of a token; null: it is none, has run out, was revoked, or its account is not active. */
export async function findToken(q: Queries, token: string, now: UtcTime): Promise<KnownToken | null> {
  const row = await tokenByHash(q).get({ hash: hashSecret(token), now });
  return row ? knownToken(row, now) : null;
}

/** Why a session is good no longer; null: it is no session of this cloud, or so old that it is forgotten. */
export async function endOfSession(
  q: Queries,
  token: string,
  now: UtcTime,
): Promise<'session-ended' | 'session-expired' | 'session-idle' | null> {
  const which = and(eq(t.hash, hashSecret(token)), eq(t.isSession, true));
  const row = await q.select({ revokedAt: t.revokedAt, expiresAt: t.expiresAt }).from(t).where(which).get();
  if (row === undefined) return null;
  if (row.revokedAt !== null) return 'session-ended';
  return row.expiresAt !== null && row.expiresAt <= now ? 'session-expired' : 'session-idle';
}

/** Whether a token is still good, without its secret. Open streams check this, and listen to `TOKEN_ENDED`. */
export async function isTokenLive(q: Queries, tokenId: string, now: UtcTime): Promise<boolean> {
  const row = await tokenById(q).get({ id: tokenId, now });
  return row !== undefined && knownToken(row, now) !== null;
}

/** The account of a token that is still good, as a caller, without the token's secret. */
export async function accountOfToken(
  q: Queries,
  tokenId: string,
  now: UtcTime,
): Promise<Extract<RequestCaller, { kind: 'account' }> | null> {
  const row = await tokenById(q).get({ id: tokenId, now });
  return row === undefined ? null : accountCaller(row);
}

function knownToken(row: KnownRow, now: UtcTime): KnownToken | null {
  const { tokenId, tokenRole, driverId, cameraId, path, loginId, usedAt, isSession, method } = row;
  const known = { loginId, usedAt, isSession, method };
  if (tokenRole !== null) return { ...known, caller: { kind: 'role', role: tokenRole, tokenId } };
  if (driverId !== null) return { ...known, caller: { kind: 'driver', tokenId, driverId } };
  if (cameraId !== null) return { ...known, caller: { kind: 'photo', tokenId, cameraId } };
  if (path !== null) return { ...known, caller: { kind: 'location', tokenId, path } };
  const caller = accountCaller(row);
  if (caller === null || (isSession && isIdle(caller, usedAt, now))) return null;
  return { ...known, caller };
}

function accountCaller(row: KnownRow): Extract<RequestCaller, { kind: 'account' }> | null {
  const { tokenId, accountId, role, customerId, status, permissions, siteIds, loginId, scope } = row;
  if (accountId === null || role === null || status !== 'active') return null;
  const rights = { permissions, siteIds };
  const isManager = managesStaff({ role, customerId, options: row.accountOptions ?? {} });
  const caller = {
    kind: 'account',
    accountId,
    role,
    customerId,
    tokenId,
    rights,
    ...(isManager && { managesStaff: true }),
  } as const;
  if (scope === 'password') {
    // A token without its login cannot set a password.
    return loginId === null ? null : { ...caller, recovering: { loginId } };
  }
  const { isSession, steppedUpAt } = row;
  return isSession ? { ...caller, session: { awaits: scope, steppedUpAt } } : caller;
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
  const id = newId();
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

/** Whether a use of a token is worth noting: a session's each minute, another one's each day. */
export function isUseNoted({ usedAt, isSession }: KnownToken, now: UtcTime): boolean {
  const exact = isSession ? 'YYYY-MM-DDTHH:MM'.length : 'YYYY-MM-DD'.length;
  return usedAt?.slice(0, exact) === now.slice(0, exact);
}

export async function noteTokenUse(q: Queries, id: string, at: UtcTime): Promise<void> {
  await q.update(t).set({ usedAt: at }).where(eq(t.id, id));
}

/** When the holder of a token last proved who they are: at login, or since then. */
export async function tokenProvenAt(q: Queries, id: string): Promise<UtcTime | null> {
  const [token] = await q
    .select({ createdAt: t.createdAt, steppedUpAt: t.steppedUpAt })
    .from(t)
    .where(eq(t.id, id));
  return token?.steppedUpAt ?? token?.createdAt ?? null;
}

export type SessionRow = Omit<typeof t.$inferSelect, 'hash'>;

/** A token without its secret, whether it is good or not. */
export async function sessionRow(q: Queries, id: string): Promise<SessionRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The login by which a token was had. */
export async function tokenLogin(q: Queries, id: string): Promise<string | null> {
  const row = await q.select({ loginId: t.loginId }).from(t).where(eq(t.id, id)).get();
  return row?.loginId ?? null;
}

/**
 * Gives a session a new secret; the one before is good no longer. The session stays the same one.
 *
 * @returns the secret, which is stored nowhere; null where the session has ended meanwhile
 */
export async function renewSession(
  q: Queries,
  id: string,
  changes: Partial<Pick<SessionHolder, 'scope' | 'method' | 'steppedUpAt'>> & { expiresAt?: UtcTime },
): Promise<string | null> {
  const token = makeSecret();
  const renewed = await q
    .update(t)
    .set({ ...changes, hash: hashSecret(token) })
    .where(and(eq(t.id, id), eq(t.isSession, true), isNull(t.revokedAt)))
    .returning({ id: t.id });
  return renewed.length === 0 ? null : token;
}

export async function revokeToken(tx: Tx, id: string, at: UtcTime): Promise<void> {
  await tx.q
    .update(t)
    .set({ revokedAt: at })
    .where(and(eq(t.id, id), isNull(t.revokedAt)));
  tx.announce(`${TOKEN_ENDED}${id}`);
}

/**
 * Ends an account's tokens: all of them, or those of a login or of a device.
 *
 * @returns how many
 */
export async function revokeTokensOf(
  tx: Tx,
  accountId: string,
  at: UtcTime,
  only: { loginId?: string; deviceUuid?: string; butTokenId?: string } = {},
): Promise<number> {
  const { loginId, deviceUuid, butTokenId } = only;
  const ended = await tx.q
    .update(t)
    .set({ revokedAt: at })
    .where(
      and(
        eq(t.accountId, accountId),
        isNull(t.revokedAt),
        loginId === undefined ? undefined : eq(t.loginId, loginId),
        deviceUuid === undefined ? undefined : eq(t.deviceUuid, deviceUuid),
        butTokenId === undefined ? undefined : ne(t.id, butTokenId),
      ),
    )
    .returning({ id: t.id, expiresAt: t.expiresAt });
  for (const { id } of ended) tx.announce(`${TOKEN_ENDED}${id}`);
  return ended.filter(({ expiresAt }) => expiresAt === null || expiresAt > at).length;
}

/** How many sessions and tokens of an account are good now. */
export async function countTokensOf(q: Queries, accountId: string, now: UtcTime): Promise<number> {
  const live = and(isNull(t.revokedAt), or(isNull(t.expiresAt), gt(t.expiresAt, now)));
  const [row] = await q
    .select({ n: count() })
    .from(t)
    .where(and(eq(t.accountId, accountId), live));
  return row?.n ?? 0;
}

export async function revokeTokensOfDriver(q: Queries, driverId: string, at: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ revokedAt: at })
    .where(and(eq(t.driverId, driverId), isNull(t.revokedAt)));
}

export async function deleteTokensOf(tx: Tx, accountId: string): Promise<void> {
  const ended = await tx.q.delete(t).where(eq(t.accountId, accountId)).returning({ id: t.id });
  for (const { id } of ended) tx.announce(`${TOKEN_ENDED}${id}`);
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
