import type { Tx } from '../../db/db.ts';
import { publishChange } from '../../feed/publish-change.ts';
import { type Actor, callerName } from '../../http/caller.ts';
import { recordEvent } from '../../webhooks/events/record-event.ts';
import { countTraffic } from '../record/count-traffic.ts';
import { siteVisit } from '../record/site-visit.ts';
import { insertVisitRow } from '../record/visit-store.ts';
import type { VisitRow } from '../record/visit-table.ts';
import { recordStep, type VisitAction } from './record-change.ts';

/** Adds a visit begun here: its site takes it over, so that the exit knows the car. */
export async function addVisit(tx: Tx, actor: Actor, row: VisitRow, action: VisitAction): Promise<void> {
  await insertVisitRow(tx.q, row);
  await countTraffic(tx.q, null, row);
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
