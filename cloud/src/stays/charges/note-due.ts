import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Decision } from '@hlid/protocol/records/decision';
import type { Direction } from '@hlid/protocol/records/lane';
import type { Visit } from '@hlid/protocol/records/visit';
import type { Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { hasCharge, hasOpenCharge, insertCharge, payerOfPlate } from '../../records/drivers/driver-store.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { isChargeable, timeOfReport } from './charge-doubts.ts';

/** Announced when a stored card is to be charged, or forgotten. */
export const DRIVER_WORK = 'automatic-payments';

/** When and where it happened. */
interface Report {
  siteId: string;
  /** The time by the clock of the site. */
  at: UtcTime;
  /** The time by ours. */
  arrivedAt: UtcTime;
}

/** A car stands at a closed exit and owes: the card of its driver is charged, where it has one and nothing is in doubt. */
export async function noteCarAtExit(
  tx: Tx,
  passage: { direction: Direction; plate: string | null; decision: Decision },
  report: Report,
): Promise<void> {
  const { direction, plate, decision } = passage;
  const { open, reason, visit, flags } = decision;
  const owes = direction === 'exit' && !open && reason === 'need-payment' && visit.kind === 'ask';
  if (!owes) return;
  const { visitId } = visit;
  if (!visit.doubtful && plate !== null && isChargeable(flags)) {
    return await noteDue(tx, { visitId, plate, doubt: null }, report);
  }
  // Another car may stand there. The driver who may have the stay is asked to pay by hand.
  const stay = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (stay === null || stay.plate === null) return;
  const doubt = 'uncertain-plate';
  if (await hasCharge(tx.q, visitId, doubt)) return;
  await noteDue(tx, { visitId, plate: stay.plate, doubt }, report);
}

/** A stay has ended unpaid. */
export async function noteEndedVisit(tx: Tx, visit: Visit, report: Report): Promise<void> {
  const { id: visitId, plate, status, endedAt, price } = visit;
  if (endedAt === null || plate === null || status === 'completed' || (price?.amountMinor ?? 0) === 0) return;
  await noteDue(tx, { visitId, plate, doubt: null }, report);
}

/** Whether it may be charged is decided when it is: see `AutomaticPayments`. @param due.doubt why it certainly is not */
async function noteDue(
  tx: Tx,
  { visitId, plate, doubt }: { visitId: string; plate: string; doubt: string | null },
  report: Report,
): Promise<void> {
  const driverId = await payerOfPlate(tx.q, plate);
  if (driverId === null || (await hasOpenCharge(tx.q, visitId))) return;
  await insertCharge(tx.q, {
    id: newId(),
    driverId,
    visitId,
    state: 'waiting',
    reason: doubt,
    dueAt: report.arrivedAt,
    createdAt: await timeOfReport(tx.q, report),
  });
  tx.announce(DRIVER_WORK);
}
