import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import type { Tx } from '../../platform/db/db.ts';
import { publishChange } from './publish-change.ts';

type PutItem = Extract<
  SiteChangeBody,
  { op: 'put'; kind: 'permit' | 'product' | 'zone' | 'camera' | 'vehicle' | 'quota' }
>;

/**
 * Sends the current state of an item to the sites that hold it. If it has moved from one site to another
 * (null: all), the former site loses it.
 */
export async function publishItem(
  tx: Tx,
  sites: { before?: string | null; now: string | null },
  change: PutItem,
): Promise<void> {
  const { before, now } = sites;
  if (before !== undefined && before !== now) {
    await publishChange(tx, before ?? 'all', { kind: change.kind, op: 'remove', id: change.id });
  }
  await publishChange(tx, now ?? 'all', change);
}
