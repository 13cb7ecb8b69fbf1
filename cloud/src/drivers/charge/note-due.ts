import { randomUUID } from 'node:crypto';
import type { Decision } from '@hlid/protocol/decision';
import type { Direction } from '@hlid/protocol/lane';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { Tx } from '../../db/db.ts';
import { hasOpenCharge, payerOfPlate } from '../record/driver-store.ts';
import { driverChargeTable } from '../record/driver-table.ts';

/** Announced when a stored card is to be charged, or forgotten. */
export const DRIVER_WORK = 'automatic-payments';

/** A car stands at a closed exit and owes: the card of its driver is charged, where it has one and nothing is in doubt. */
export async function noteCarAtExit(
  tx: Tx,
  passage: { direction: Direction; plate: string | null; decision: Decision },
  at: UtcTime,
): Promise<void> {
  const { direction, plate, decision } = passage;
  const { open, reason, visit } = decision;
  const owes = direction === 'exit' && !open && reason === 'need-payment' && visit.kind === 'ask';
  if (!owes || visit.doubtful || decision.flags.length > 0 || plate === null) return;
  await noteDue(tx, { visitId: visit.visitId, plate }, at);
}

/** A stay has ended unpaid. */
export async function noteEndedVisit(tx: Tx, visit: Visit, at: UtcTime): Promise<void> {
  const { id: visitId, plate, status, endedAt, price } = visit;
  if (endedAt === null || plate === null || status === 'completed' || (price?.amountMinor ?? 0) === 0) return;
  await noteDue(tx, { visitId, plate }, at);
}

/** Whether it may be charged is decided when it is: see `AutomaticPayments`. */
async function noteDue(
  tx: Tx,
  { visitId, plate }: { visitId: string; plate: string },
  at: UtcTime,
): Promise<void> {
  const driverId = await payerOfPlate(tx.q, plate);
  if (driverId === null || (await hasOpenCharge(tx.q, visitId))) return;
  const row = {
    id: randomUUID(),
    driverId,
    visitId,
    state: 'waiting',
    nextTryAt: at,
    createdAt: at,
  } as const;
  await tx.q.insert(driverChargeTable).values(row);
  tx.announce(DRIVER_WORK);
}
