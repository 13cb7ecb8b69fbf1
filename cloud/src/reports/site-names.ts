import { asc } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { siteTable } from '../sites/site-table.ts';

/** A site as reports name it. */
export interface SiteName {
  id: string;
  name: string;
  currency: string;
}

export async function listSiteNames(q: Queries): Promise<SiteName[]> {
  return await q
    .select({ id: siteTable.id, name: siteTable.name, currency: siteTable.currency })
    .from(siteTable)
    .orderBy(asc(siteTable.name), asc(siteTable.id));
}
