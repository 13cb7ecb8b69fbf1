import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, lt } from '../../platform/db/sql.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { recoveryTable as t } from '../../records/auth/token-table.ts';

/** The text of a mail that waits has this in place of the secret of its link. */
export const LINK_SECRET = '{secret}';

/** How long a link is good, from when its mail is sent. */
export const LINK_LIFE_MS = 15 * MINUTE_MS;

/** The life of a link by which a new person sets their first password. */
export const INVITATION_LIFE_MS = 7 * DAY_MS;

/** Keeps what the link of a login may be followed with. */
export async function insertRecovery(
  q: Queries,
  secret: string,
  loginId: string,
  now: UtcTime,
  lifeMs: number,
): Promise<void> {
  const expiresAt = utcTime(millis(now) + lifeMs);
  await q.insert(t).values({ hash: hashSecret(secret), loginId, expiresAt });
}

/** The login with the password that this secret may set. */
export async function findRecovery(q: Queries, secret: string, now: UtcTime): Promise<string | null> {
  const found = await q
    .select({ loginId: t.loginId })
    .from(t)
    .where(and(eq(t.hash, hashSecret(secret)), gt(t.expiresAt, now)))
    .get();
  return found?.loginId ?? null;
}

/** Every link of a login is good no longer. */
export async function deleteRecoveries(q: Queries, loginId: string): Promise<void> {
  await q.delete(t).where(eq(t.loginId, loginId));
}

export async function deleteExpiredRecoveries(q: Queries, now: UtcTime): Promise<void> {
  await q.delete(t).where(lt(t.expiresAt, now));
}
