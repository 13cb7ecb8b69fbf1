import type { UtcTime } from '@hlid/protocol/utc-time';
import { type Visit, VisitSchema, type VisitStatus } from '@hlid/protocol/visit';
import { z } from 'zod';
import type { Actor } from '../../audit/audit.ts';
import type { Tx } from '../../db/db.ts';
import { publishChange } from '../../feed/publish-change.ts';
import { callerName } from '../../http/caller.ts';
import { recordEvent } from '../../integration-events/record-event.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { insertVisitRow } from '../record/visit-store.ts';
import { recordStep, type VisitDeed } from './record-deed.ts';

/** A visit that begins in the cloud, with nothing known of it but this. */
export function newVisitRow(
  actor: Actor,
  begun: { id: string; siteId: string; startedAt: UtcTime; status: VisitStatus },
): VisitRow {
  return {
    ...begun,
    plate: null,
    plateFolded: null,
    paymentStatus: null,
    endedAt: null,
    createdAt: actor.at,
    amountMinor: null,
    currency: null,
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    flags: [],
    entryLaneId: null,
    exitLaneId: null,
    entryReadId: null,
    exitReadId: null,
    exitFoundBy: null,
    permitId: null,
    quota: null,
    customerId: null,
    vehicleCategory: null,
    feedAt: 0,
    plateEditedAt: 0,
    startedEditedAt: 0,
    statusEditedAt: 0,
    endedEditedAt: 0,
    paymentEditedAt: 0,
    flagsEditedAt: 0,
    modifiedAt: actor.at,
  };
}

/** Adds a visit begun here: its site takes it over, so that the exit knows the car. */
export async function addVisit(tx: Tx, actor: Actor, row: VisitRow, deed: VisitDeed): Promise<void> {
  await insertVisitRow(tx.q, row);
  const item = {
    visit: siteVisit(row),
    reason: deed.why,
    by: callerName(actor.caller),
    at: actor.at,
  };
  await publishChange(tx, row.siteId, { kind: 'visit', op: 'put', id: row.id, item });
  await recordStep(tx, actor, { before: null, after: row }, deed);
  await recordEvent(tx, { type: 'visit.opened', subjectId: row.id, siteId: row.siteId, at: actor.at });
}

const SiteVisitSchema = z.object(VisitSchema.shape);

/** A visit as its site has it; the cloud's own columns fall away. */
export function siteVisit(row: VisitRow): Visit {
  const { price, amountMinor } = row;
  return SiteVisitSchema.parse({ ...row, price: price && { ...price, amountMinor: amountMinor ?? 0 } });
}
