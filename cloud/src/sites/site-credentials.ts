import { timingSafeEqual } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { hashSecret } from '../auth/token-secret.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { siteTable } from './site-table.ts';

const NO_HASH = '0'.repeat(64);

const secretHashOf = prepared((q) =>
  q
    .select({ secretHash: siteTable.secretHash })
    .from(siteTable)
    .where(eq(siteTable.id, sql.placeholder('siteId')))
    .prepare(),
);

/** Whether this is the secret of the site, and not revoked. As slow for a site that does not exist. */
export async function checkSiteSecret(q: Queries, siteId: string, secret: string): Promise<boolean> {
  const row = await secretHashOf(q).get({ siteId });
  const known = row?.secretHash ?? null;
  const equal = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(known ?? NO_HASH));
  return equal && known !== null;
}

/** The site and secret of `Authorization: Bearer <siteId>.<secret>`; null for any other form. */
export function readSiteToken(token: string): { siteId: string; secret: string } | null {
  const dot = token.indexOf('.');
  return dot <= 0 || dot === token.length - 1
    ? null
    : { siteId: token.slice(0, dot), secret: token.slice(dot + 1) };
}

/** Whether a site has a secret that is good, and so may be heard. */
export async function isAdmitted(q: Queries, siteId: string): Promise<boolean> {
  return ((await secretHashOf(q).get({ siteId }))?.secretHash ?? null) !== null;
}
