import { foldPlate } from '@hlid/protocol/plate';
import type { SiteEventBody, StoredRead } from '@hlid/protocol/site-event';
import type { Tx } from '../db/db.ts';
import { preparedInsert } from '../db/prepared-insert.ts';
import { takeDevice } from '../devices/take-device.ts';
import { noteDoubt } from '../lanes/doubtful-cars.ts';
import { gateMovementTable } from '../passages/gate-movement-table.ts';
import { laneAlertTable, passageDecisionTable } from '../passages/passage-table.ts';
import { addTerminalDay } from '../payments/payment-store.ts';
import { takePayment } from '../payments/take-payment.ts';
import { photoTable } from '../pictures/photo-table.ts';
import { takeReceiptWish } from '../receipts/take-receipt-wish.ts';
import { type EventPlace, takeVisit } from '../visits/intake/ingest-visit.ts';

const addPhoto = preparedInsert(photoTable, 'leave');
const addDecision = preparedInsert(passageDecisionTable, 'leave');
const addMovement = preparedInsert(gateMovementTable, 'leave');
const addAlert = preparedInsert(laneAlertTable, 'leave');
/** Takes over what a site tells, within the transaction that moves its cursor. @returns why not, or null */
export async function applyEvent(tx: Tx, place: EventPlace, body: SiteEventBody): Promise<string | null> {
  const { q } = tx;
  const { siteId, eventId, at } = place;
  switch (body.type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended':
      return await takeVisit(tx, place, body);
    case 'read.stored':
      await addPhoto(q, photoRow(siteId, body.read));
      return null;
    case 'passage.decided': {
      const { type: _, ...passage } = body;
      const { open, reason } = passage.decision;
      await addDecision(q, { id: eventId, siteId, at, open, reason, ...passage });
      await noteDoubt(q, { siteId, laneId: passage.laneId, at }, passage);
      return null;
    }
    case 'gate.moved': {
      const { type: _, movementId: id, ...movement } = body;
      await addMovement(q, { id, siteId, at, ...movement });
      return null;
    }
    case 'lane.alert': {
      const { type: _, ...alert } = body;
      await addAlert(q, { id: eventId, siteId, at, ...alert });
      return null;
    }
    case 'device.changed': {
      await takeDevice(tx, place, body);
      return null;
    }
    case 'payment.changed':
      return await takePayment(tx, place, body.payment);
    case 'receipt.wanted':
      return await takeReceiptWish(tx, place, body);
    case 'terminal.day-closed': {
      const { type: _, ...day } = body;
      await addTerminalDay(q, { id: eventId, siteId, at, ...day });
      return null;
    }
    default:
      return body satisfies never;
  }
}

function photoRow(siteId: string, read: StoredRead): typeof photoTable.$inferSelect {
  const { late: _late, parked: _parked, relatedKeys: _keys, ...kept } = read;
  return {
    source: 'site',
    siteId,
    visitId: null,
    status: read.standing === 'counts' && read.plate !== null ? 'new' : 'need-review',
    plateFolded: read.plate === null ? null : foldPlate(read.plate),
    url: null,
    pictureBytes: null,
    plateUrl: null,
    plateBytes: null,
    createdAt: read.receivedAt,
    // Last: adding to what was spread takes as long as writing the row.
    ...kept,
  };
}
