import { timingSafeEqual } from 'node:crypto';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { siteTable } from '../../records/sites/site-table.ts';

/** The announcement of a transaction when a site's secret is no longer good. */
export const SITE_LOCKED_OUT = 'site-locked-out/';

const NO_HASH = '0'.repeat(64);

const secretHashOf = prepared((q) =>
  q
    .select({ secretHash: siteTable.secretHash })
    .from(siteTable)
    .where(eqPlaceholder(siteTable.id, 'siteId'))
    .prepare(),
);

/** Whether this is the secret of the site, and not revoked. As slow for a site that does not exist. */
export async function checkSiteSecret(q: Queries, siteId: string, secret: string): Promise<boolean> {
  const row = await secretHashOf(q).get({ siteId });
  const known = row?.secretHash ?? null;
  const equal = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(known ?? NO_HASH));
  return equal && known !== null;
}

/** Whether a site has a valid secret, so that its messages are accepted. */
export async function isAdmitted(q: Queries, siteId: string): Promise<boolean> {
  return ((await secretHashOf(q).get({ siteId }))?.secretHash ?? null) !== null;
}
