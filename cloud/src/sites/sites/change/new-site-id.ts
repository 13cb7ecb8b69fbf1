import { randomInt } from 'node:crypto';
import { SITE_NUMBERS, siteIdOf } from '../../../platform/db/compact-columns.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { eq } from '../../../platform/db/sql.ts';
import { siteTable } from '../../../records/sites/site-table.ts';

/** Numbers of two bytes, for as long as free ones are found. */
const SHORT_NUMBERS = 2 ** 15;
const SHORT_TRIES = 10;

/**
 * An id that no site has. It is a random number written as a UUID: another cloud's site, which may move here
 * with its gateway, hardly has the same.
 */
export async function newSiteId(q: Queries): Promise<string> {
  for (let tries = 0; ; tries++) {
    const id = siteIdOf(randomInt(1, tries < SHORT_TRIES ? SHORT_NUMBERS : SITE_NUMBERS));
    const [taken] = await q.select({ id: siteTable.id }).from(siteTable).where(eq(siteTable.id, id));
    if (taken === undefined) return id;
  }
}
