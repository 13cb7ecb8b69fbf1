import type { Queries } from '../db/db.ts';
import { preparedInsert } from '../db/prepared-insert.ts';
import { chargeTable } from './charge-table.ts';

export type ChargeRow = typeof chargeTable.$inferSelect;

const addOnce = preparedInsert(chargeTable, 'leave');

/** Notes what a customer owes for a visit; the same cause once more changes nothing. */
export async function addCharge(q: Queries, charge: ChargeRow): Promise<void> {
  await addOnce(q, charge);
}
