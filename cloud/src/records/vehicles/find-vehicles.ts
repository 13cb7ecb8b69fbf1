import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eq, eqPlaceholder } from '../../platform/db/sql.ts';
import { vehicleTable as t, type VehicleRow } from './vehicle-table.ts';

const byPlate = prepared((q) => q.select().from(t).where(eqPlaceholder(t.plate, 'plate')).prepare());

export async function vehicleByPlate(q: Queries, plate: string): Promise<VehicleRow | null> {
  return (await byPlate(q).get({ plate })) ?? null;
}

export async function vehicleById(q: Queries, id: string): Promise<VehicleRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The vehicle by the id that stays with it, whatever its plate. */
export async function vehicleByPermno(q: Queries, permno: string): Promise<VehicleRow | null> {
  return (await q.select().from(t).where(eq(t.permno, permno)).get()) ?? null;
}
