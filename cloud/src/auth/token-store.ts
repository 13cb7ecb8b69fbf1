import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { accountTable } from '../accounts/account-table.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { Caller, TokenCaller, TokenRole } from './caller.ts';
import { hashSecret, makeSecret } from './token-secret.ts';
import { apiKeyTable, tokenTable } from './token-table.ts';

const tokenByHash = prepared((q) =>
  q
    .select({
      tokenId: tokenTable.id,
      tokenRole: tokenTable.role,
      accountId: accountTable.id,
      role: accountTable.role,
      customerId: accountTable.customerId,
      status: accountTable.status,
    })
    .from(tokenTable)
    .leftJoin(accountTable, eq(accountTable.id, tokenTable.accountId))
    .where(
      and(
        eq(tokenTable.hash, sql.placeholder('hash')),
        isNull(tokenTable.revokedAt),
        or(isNull(tokenTable.expiresAt), gt(tokenTable.expiresAt, sql.placeholder('now'))),
      ),
    )
    .prepare(),
);

const apiKeyByHash = prepared((q) =>
  q
    .select({ id: apiKeyTable.id })
    .from(apiKeyTable)
    .where(eq(apiKeyTable.hash, sql.placeholder('hash')))
    .prepare(),
);

/** Whose token this is; null where it is none, has run out, was revoked, or its account is not active. */
export async function findTokenCaller(q: Queries, token: string, now: UtcTime): Promise<TokenCaller | null> {
  const row = await tokenByHash(q).get({ hash: hashSecret(token), now });
  if (!row) return null;
  const { tokenId, tokenRole, accountId, role, customerId, status } = row;
  if (tokenRole !== null) return { kind: 'role', role: tokenRole, tokenId };
  if (accountId === null || role === null || status !== 'active') return null;
  return { kind: 'account', accountId, role, customerId, tokenId };
}

export async function findApiKeyCaller(q: Queries, key: string): Promise<Caller | null> {
  const row = await apiKeyByHash(q).get({ hash: hashSecret(key) });
  return row ? { kind: 'api-key', keyId: row.id } : null;
}

/** Makes a bearer token. @returns the token, which is stored nowhere */
export async function issueToken(
  q: Queries,
  holder: { accountId: string; deviceUuid: string | null } | { role: TokenRole; name: string },
  life: { from: UtcTime; until: UtcTime | null },
): Promise<{ id: string; token: string }> {
  const id = randomUUID();
  const token = makeSecret();
  await q.insert(tokenTable).values({
    id,
    hash: hashSecret(token),
    ...holder,
    createdAt: life.from,
    expiresAt: life.until,
  });
  return { id, token };
}

export async function revokeToken(q: Queries, id: string, at: UtcTime): Promise<void> {
  await q
    .update(tokenTable)
    .set({ revokedAt: at })
    .where(and(eq(tokenTable.id, id), isNull(tokenTable.revokedAt)));
}

export async function deleteExpiredTokens(q: Queries, now: UtcTime): Promise<void> {
  await q.delete(tokenTable).where(lt(tokenTable.expiresAt, now));
}
