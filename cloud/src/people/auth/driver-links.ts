import type { Language } from '@hlid/protocol/base/language';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, lt } from '../../platform/db/sql.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { driverLinkTable as t } from '../../records/auth/token-table.ts';
import { LINK_LIFE_MS } from './recovery-links.ts';

/** Stores what the link of a driver is followed with. */
export async function insertDriverLink(
  q: Queries,
  secret: string,
  to: { email: string; language: Language },
  now: UtcTime,
): Promise<void> {
  const expiresAt = utcTime(millis(now) + LINK_LIFE_MS);
  await q.insert(t).values({ hash: hashSecret(secret), ...to, expiresAt });
}

/** Uses up a link, and with it all others of the same address. @returns whom it was mailed to; null: it is not valid */
export async function useDriverLink(
  q: Queries,
  secret: string,
  now: UtcTime,
): Promise<{ email: string; language: Language } | null> {
  const [used] = await q
    .delete(t)
    .where(and(eq(t.hash, hashSecret(secret)), gt(t.expiresAt, now)))
    .returning({ email: t.email, language: t.language });
  if (used === undefined) return null;
  await q.delete(t).where(eq(t.email, used.email));
  return used;
}

export async function deleteExpiredDriverLinks(q: Queries, now: UtcTime): Promise<void> {
  await q.delete(t).where(lt(t.expiresAt, now));
}
