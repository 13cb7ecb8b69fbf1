import { type SiteItem, SiteItemSchema } from '@hlid/protocol/site-change';
import type { Queries } from '../db/db.ts';
import { readItem } from './feed-store.ts';

/** A site as its edge has it, or will have it; null: it has no feed. */
export async function heldSite(q: Queries, siteId: string): Promise<SiteItem | null> {
  const held = await readItem(q, siteId, 'site', 'site');
  return held?.item ? SiteItemSchema.parse(JSON.parse(held.item)) : null;
}
