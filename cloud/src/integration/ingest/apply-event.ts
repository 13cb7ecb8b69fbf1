import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { addTerminalDay, ingestPayment } from '../../money/payments/ingest-payment.ts';
import { ingestReceiptRequest } from '../../paying/receipts/ingest-receipt-request.ts';
import type { Tx } from '../../platform/db/db.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { recordAlert, recordDecision, recordMovement } from '../../records/passages/record-passage.ts';
import { ingestCall } from '../../sites/calls/calls.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { noteDoubt } from '../../sites/lanes/doubtful-cars.ts';
import { noteCarAtExit, noteEndedVisit } from '../../stays/charges/note-due.ts';
import { recordSiteRead } from '../../stays/photos/record-site-read.ts';
import { type EventPlace, ingestVisit } from '../../stays/visits/intake/ingest-visit.ts';

/** The place of an event in its site's log, and the time at which it arrived. */
type ArrivedAt = EventPlace & {
  /** The time by our clock; `at` is by the site's. */
  arrivedAt: UtcTime;
};

/** Applies an event of a site, in the transaction that moves its cursor. @returns the reason of a refusal, or null */
export async function applyEvent(tx: Tx, place: ArrivedAt, body: SiteEventBody): Promise<string | null> {
  const { q } = tx;
  const { siteId, eventId, at } = place;
  switch (body.type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended': {
      const refusal = await ingestVisit(tx, place, body);
      if (refusal === null && body.type === 'visit.ended') await noteEndedVisit(tx, body.visit, place);
      return refusal;
    }
    case 'read.stored':
      await recordSiteRead(q, siteId, body.read, null);
      return null;
    case 'passage.decided': {
      const { type: _, read, alerts, ...passage } = body;
      const { laneId, passageId, plate } = passage;
      const { open, reason } = passage.decision;
      if (read) await recordSiteRead(q, siteId, read, { visitId: passage.visitId, reason });
      await recordDecision(q, { id: eventId, siteId, at, open, reason, ...passage });
      await noteDoubt(q, { siteId, laneId, at }, passage);
      await noteCarAtExit(tx, passage, place);
      await recordEvent(tx, { type: 'passage.decided', subjectId: passageId, siteId, at });
      for (const alert of alerts) {
        const id = `${eventId}-${alert}`;
        await recordAlert(q, { id, siteId, at, laneId, alert, plate, passageId });
        await recordEvent(tx, { type: 'lane.alert', subjectId: id, siteId, at });
      }
      return null;
    }
    case 'gate.moved': {
      const { type, movementId: id, reasonCode = null, lapsesAt = null, ...movement } = body;
      await recordMovement(q, { id, siteId, at, reasonCode, lapsesAt, ...movement });
      await recordEvent(tx, { type, subjectId: id, siteId, at });
      return null;
    }
    case 'lane.alert': {
      const { type, ...alert } = body;
      await recordAlert(q, { id: eventId, siteId, at, ...alert });
      await recordEvent(tx, { type, subjectId: eventId, siteId, at });
      return null;
    }
    case 'device.changed': {
      await ingestDevice(tx, place, body);
      return null;
    }
    case 'payment.changed':
      return await ingestPayment(tx, place, body.payment);
    case 'help.wanted':
      await ingestCall(tx, place, body);
      return null;
    case 'receipt.wanted':
      return await ingestReceiptRequest(tx, place, body);
    case 'terminal.day-closed': {
      const { type: _, ...day } = body;
      await addTerminalDay(q, { id: eventId, siteId, at, ...day });
      return null;
    }
    default:
      return body satisfies never;
  }
}
