import { z } from 'zod';
import type { Queries } from '../../platform/db/db.ts';
import { readItem } from './feed-store.ts';

/** The fields that are read here; a later version may have written others. */
const HeldSiteSchema = z.looseObject({ onlinePayment: z.string().optional() });

/** A site as its edge has it, or will have it; null: it has no feed. */
export async function heldSite(q: Queries, siteId: string): Promise<z.infer<typeof HeldSiteSchema> | null> {
  const held = await readItem(q, siteId, 'site', 'site');
  return held?.item ? HeldSiteSchema.parse(JSON.parse(held.item)) : null;
}
