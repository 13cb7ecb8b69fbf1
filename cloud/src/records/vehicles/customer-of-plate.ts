import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eq, eqPlaceholder, gt, isNull, lte, or, sql } from '../../platform/db/sql.ts';
import { custodianTable as t } from './custodian-table.ts';
import { vehicleTable } from './vehicle-table.ts';

const holderAt = prepared((q) =>
  q
    .select({ customerId: t.customerId })
    .from(vehicleTable)
    .innerJoin(t, eq(t.vehicleId, vehicleTable.id))
    .where(
      and(
        eqPlaceholder(vehicleTable.plate, 'plate'),
        lte(t.dateFrom, sql.placeholder('at')),
        or(isNull(t.dateTo), gt(t.dateTo, sql.placeholder('at'))),
      ),
    )
    .limit(1)
    .prepare(),
);

/** The customer that has a plate in custody at a moment; null: none has. */
export async function customerOfPlate(q: Queries, plate: string, at: UtcTime): Promise<string | null> {
  return (await holderAt(q).get({ plate, at }))?.customerId ?? null;
}
