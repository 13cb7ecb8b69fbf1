import { randomUUID } from 'node:crypto';
import type { SettlementItem } from '@hlid/protocol/site-change';
import type { Actor } from '../audit/audit.ts';
import { callerName } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import { insertSettlement } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Writes down that something of a visit is settled, or is so no more, and tells its site.
 *
 * @param met made now, unless it says when
 * @returns with the number under which the site is told
 */
export async function makeSettlement(
  tx: Tx,
  actor: Actor,
  { id: visitId, siteId }: Pick<VisitRow, 'id' | 'siteId'>,
  met: Omit<SettlementItem, 'id' | 'visitId' | 'settledAt' | 'by'> &
    Partial<Pick<SettlementItem, 'settledAt'>>,
): Promise<{ settlement: SettlementItem; n: number }> {
  const settlement = { id: randomUUID(), visitId, settledAt: actor.at, ...met, by: callerName(actor.caller) };
  await insertSettlement(tx.q, { ...settlement, siteId });
  const change = { kind: 'settlement', op: 'put', id: settlement.id, item: settlement } as const;
  return { settlement, n: await publishChange(tx, siteId, change) };
}
