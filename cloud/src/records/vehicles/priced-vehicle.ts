import type { PricedVehicle } from '@hlid/protocol/tariff/price-tariff';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { vehicleTable as t } from './vehicle-table.ts';

const byPlate = prepared((q) =>
  q
    .select({ category: t.category, seats: t.seats, massladen: t.massladen, overrides: t.overrides })
    .from(t)
    .where(eqPlaceholder(t.plate, 'plate'))
    .prepare(),
);

/** A vehicle as tariffs with classes ask for it: as people have set it, else as the register has it. */
export async function pricedVehicle(q: Queries, plate: string): Promise<PricedVehicle> {
  const vehicle = await byPlate(q).get({ plate });
  if (vehicle === undefined) return {};
  const { category, overrides } = vehicle;
  const seats = overrides?.seats ?? vehicle.seats;
  const massKg = overrides?.massladen ?? vehicle.massladen;
  return {
    ...(category !== null && { category }),
    ...(seats !== null && { seats }),
    // Light ones are not sent to sites: both price alike.
    ...(massKg !== null && category === 'heavy' && { massKg: Math.round(massKg) }),
  };
}

const categoryByPlate = prepared((q) =>
  q.select({ category: t.category }).from(t).where(eqPlaceholder(t.plate, 'plate')).prepare(),
);

/** A vehicle's category as far as it is known here; null where it is not. */
export async function categoryOfPlate(q: Queries, plate: string): Promise<VehicleCategory | null> {
  return (await categoryByPlate(q).get({ plate }))?.category ?? null;
}
