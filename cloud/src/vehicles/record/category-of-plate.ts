import type { VehicleCategory } from '@hlid/protocol/product';
import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { vehicleTable as t } from './vehicle-table.ts';

const categoryByPlate = prepared((q) =>
  q
    .select({ category: t.category })
    .from(t)
    .where(eq(t.plate, sql.placeholder('plate')))
    .prepare(),
);

/** A vehicle's category as far as it is known here; null where it is not. */
export async function categoryOfPlate(q: Queries, plate: string): Promise<VehicleCategory | null> {
  return (await categoryByPlate(q).get({ plate }))?.category ?? null;
}
