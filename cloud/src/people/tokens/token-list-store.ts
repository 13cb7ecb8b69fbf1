import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, getTableColumns, gt, isNotNull, isNull, or, type SQL } from '../../platform/db/sql.ts';
import type { TokenRole } from '../../platform/http/caller.ts';
import { beyond, inDirection } from '../../platform/http/keyset.ts';
import type { Cursor } from '../../platform/http/list-envelope.ts';
import { countRows } from '../../platform/http/list-rows.ts';
import { tokenTable as t } from '../../records/auth/token-table.ts';

/** The tokens that are listed: an account's, or those of machines, which are the ones with a name. */
export type WhichTokens = { accountId: string } | { machines: { role?: TokenRole | undefined } };

/** A token without its secret. */
export type TokenRow = Omit<typeof t.$inferSelect, 'hash'>;

const ORDER = { at: t.createdAt, id: t.id };

const { hash: _secret, ...shown } = getTableColumns(t);

/** Tokens that are good, beyond a place. */
export async function listTokens(
  q: Queries,
  which: WhichTokens,
  now: UtcTime,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<TokenRow[]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select(shown)
    .from(t)
    .where(and(...conditions(which, now), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countTokens(q: Queries, which: WhichTokens, now: UtcTime): Promise<number> {
  return await countRows(q, t, and(...conditions(which, now)));
}

/** One of them, where it is good. */
export async function findListedToken(
  q: Queries,
  tokenId: string,
  which: WhichTokens,
  now: UtcTime,
): Promise<TokenRow | null> {
  const found = await q
    .select(shown)
    .from(t)
    .where(and(eq(t.id, tokenId), ...conditions(which, now)))
    .get();
  return found ?? null;
}

function conditions(which: WhichTokens, now: UtcTime): (SQL | undefined)[] {
  return [
    isNull(t.revokedAt),
    or(isNull(t.expiresAt), gt(t.expiresAt, now)),
    ...('accountId' in which
      ? [eq(t.accountId, which.accountId)]
      : [isNotNull(t.name), which.machines.role === undefined ? undefined : eq(t.role, which.machines.role)]),
  ];
}
