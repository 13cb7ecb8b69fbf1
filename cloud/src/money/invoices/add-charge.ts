import type { Queries } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { type ChargeRow, chargeTable } from '../../records/invoices/charge-table.ts';

const addOnce = preparedInsert(chargeTable, 'leave');

/** Notes what a customer owes for a visit; the same cause once more changes nothing. */
export async function addCharge(q: Queries, charge: ChargeRow): Promise<void> {
  await addOnce(q, charge);
}
