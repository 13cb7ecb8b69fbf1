import { foldPlate } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { eq, inArray } from '../../platform/db/sql.ts';
import { driverVehicleTable } from '../../records/drivers/driver-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { laneAlertTable, passageDecisionTable } from '../../records/passages/passage-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { custodianTable } from '../../records/vehicles/custodian-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { whitelistTable } from '../../records/whitelist/whitelist-table.ts';

export type PlateRows = Awaited<ReturnType<typeof plateRows>>;

/** Everything that is kept of one plate, table by table; the plate itself, not what looks like it. */
export async function plateRows(q: Queries, plate: string) {
  const visits = await q.select().from(visitTable).where(eq(visitTable.plate, plate));
  const alike = await q
    .select()
    .from(photoTable)
    .where(eq(photoTable.plateFolded, foldPlate(plate)));
  const photos = alike.filter((photo) => photo.plate === plate);
  const passages = photos.flatMap(({ passageId }) => (passageId === null ? [] : [passageId]));
  const decided = await q
    .select({ passageId: passageDecisionTable.passageId, plate: passageDecisionTable.plate })
    .from(passageDecisionTable)
    .where(eq(passageDecisionTable.plateFolded, foldPlate(plate)));
  passages.push(...decided.filter((one) => one.plate === plate).map(({ passageId }) => passageId));
  const vehicles = await q.select().from(vehicleTable).where(eq(vehicleTable.plate, plate));
  return {
    visits,
    photos,
    whitelist: await q.select().from(whitelistTable).where(eq(whitelistTable.plate, plate)),
    vehicles,
    custody: await manyBy(
      vehicles.map(({ id }) => id),
      async (ids) => await q.select().from(custodianTable).where(inArray(custodianTable.vehicleId, ids)),
    ),
    decisions: await manyBy(
      passages,
      async (ids) =>
        await q.select().from(passageDecisionTable).where(inArray(passageDecisionTable.passageId, ids)),
    ),
    drivers: await q.select().from(driverVehicleTable).where(eq(driverVehicleTable.plate, plate)),
    alerts: await q.select().from(laneAlertTable).where(eq(laneAlertTable.plate, plate)),
    invoices: await manyBy(
      visits.map(({ id }) => id),
      async (ids) => await q.select().from(invoiceTable).where(inArray(invoiceTable.visitId, ids)),
    ),
    payments: await manyBy(
      visits.map(({ id }) => id),
      async (ids) => await q.select().from(paymentTable).where(inArray(paymentTable.visitId, ids)),
    ),
  };
}

/** SQLite takes this number of values in one statement without trouble. */
const VALUES_AT_ONCE = 500;

async function manyBy<Row>(ids: readonly string[], read: (some: string[]) => Promise<Row[]>): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  for (let from = 0; from < unique.length; from += VALUES_AT_ONCE) {
    for (const row of await read(unique.slice(from, from + VALUES_AT_ONCE))) rows.push(row);
  }
  return rows;
}
