import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq, gt, isNotNull, isNull, or } from '../../platform/db/sql.ts';
import { publishChange } from '../feed/publish-change.ts';
import { custodianTable as t } from './custodian-table.ts';
import { vehicleByPlate } from './find-vehicles.ts';
import { pricedVehicle } from './priced-vehicle.ts';
import { custodyAhead } from './vehicle-custody.ts';
import { vehicleTable } from './vehicle-table.ts';

/** No tariff has a class for fewer. */
const USUAL_SEATS = 5;

/**
 * Sends all sites what they need to know of a plate: that its vehicle is heavy or has many seats, and the
 * customers that have or will have it in custody. They need not know any other vehicle. Past custody is left
 * out from here on, since sites follow its dates.
 */
export async function publishVehicle(tx: Tx, plate: string, now: UtcTime): Promise<void> {
  const vehicle = await vehicleByPlate(tx.q, plate);
  const custody = vehicle === null ? [] : await custodyAhead(tx.q, vehicle.id, now);
  const category = vehicle?.category ?? 'light';
  const { seats = 0, massKg = 0 } = await pricedVehicle(tx.q, plate);
  const size = {
    ...(seats > USUAL_SEATS && { seats }),
    ...(category === 'heavy' && massKg > 0 && { massKg }),
  };
  const isUsual = category === 'light' && Object.keys(size).length === 0;
  await publishChange(
    tx,
    'all',
    isUsual && custody.length === 0
      ? { kind: 'vehicle', op: 'remove', id: plate }
      : { kind: 'vehicle', op: 'put', id: plate, item: { plate, category, ...size, custody } },
  );
}

/** Sends every vehicle in a customer's custody, now or later, to the sites again: its billing has changed. */
export async function publishCustodyOf(tx: Tx, customerId: string, now: UtcTime): Promise<void> {
  const held = await tx.q
    .selectDistinct({ plate: vehicleTable.plate })
    .from(t)
    .innerJoin(vehicleTable, eq(vehicleTable.id, t.vehicleId))
    .where(
      and(
        eq(t.customerId, customerId),
        or(isNull(t.dateTo), gt(t.dateTo, now)),
        isNotNull(vehicleTable.plate),
      ),
    );
  for (const { plate } of held) {
    if (plate !== null) await publishVehicle(tx, plate, now);
  }
}
