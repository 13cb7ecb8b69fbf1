import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, count, eq, gt, isNull, or, sql } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { endingAuthorTable as ending, whitelistTable } from './whitelist-table.ts';

/** Announced when the permits of an account are to end. */
export const PERMITS_TO_END = 'permits-to-end';

/**
 * Lets all permits of an account end, or pass to another account. There may be very many: `permitEndJob` does it.
 *
 * @param successorId the account to which they pass; null: they end
 */
export async function letPermitsEnd(
  tx: Tx,
  { at }: Actor,
  accountId: string,
  successorId: string | null = null,
): Promise<void> {
  await tx.q
    .insert(ending)
    .values({ author: authorOf(accountId), since: at, successorId })
    .onConflictDoUpdate({ target: ending.author, set: { successorId } });
  tx.announce(PERMITS_TO_END);
}

/** How many permits of an account are valid now or later. */
export async function countLivePermits(q: Queries, accountId: string, now: UtcTime): Promise<number> {
  const t = whitelistTable;
  const live = and(sql`${t.status} <> 'deleted'`, or(isNull(t.expireAt), gt(t.expireAt, now)));
  const [row] = await q
    .select({ n: count() })
    .from(t)
    .where(and(eq(t.author, authorOf(accountId)), live));
  return row?.n ?? 0;
}

function authorOf(accountId: string): string {
  return `account:${accountId}`;
}
