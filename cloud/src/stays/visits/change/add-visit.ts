import type { Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import { recordEvent } from '../../../records/integration-events/record-event.ts';
import { countStay } from '../../../records/totals/count-stay.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import { insertVisitRow } from '../../../records/visits/visit-store.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { recordStep, type VisitAction } from './record-change.ts';

/** Adds a visit begun here: its site takes it over, so that the exit knows the car. */
export async function addVisit(tx: Tx, actor: Actor, row: VisitRow, action: VisitAction): Promise<void> {
  await insertVisitRow(tx.q, row);
  await countStay(tx.q, null, row);
  const item = {
    visit: siteVisit(row),
    reason: action.historyText,
    by: callerName(actor.caller),
    at: actor.at,
  };
  await publishChange(tx, row.siteId, { kind: 'visit', op: 'put', id: row.id, item });
  await recordStep(tx, actor, { before: null, after: row }, action);
  await recordEvent(tx, { type: 'visit.opened', subjectId: row.id, siteId: row.siteId, at: actor.at });
}
