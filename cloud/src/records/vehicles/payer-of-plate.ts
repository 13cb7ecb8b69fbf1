import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { holdersOf } from './vehicle.ts';
import { vehicleTable as t } from './vehicle-table.ts';

/** The payer to whom an invoice is made out. */
export interface Payer {
  ssn: string | null;
  name: string | null;
}

const vehicleOfPlate = prepared((q) =>
  q
    .select({ operator: t.operator, owner: t.owner, overrides: t.overrides })
    .from(t)
    .where(eqPlaceholder(t.plate, 'plate'))
    .prepare(),
);

/** The payer for a vehicle: its operator, else its owner; null: unknown. */
export async function payerOfPlate(q: Queries, plate: string | null): Promise<Payer | null> {
  if (plate === null) return null;
  const vehicle = await vehicleOfPlate(q).get({ plate });
  if (vehicle === undefined) return null;
  const [holder] = holdersOf(vehicle);
  return holder ? { ssn: holder.ssn, name: holder.name } : null;
}
