import type { Queries } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { eq } from '../../platform/db/sql.ts';
import { visitTable as t, type VisitRow, visitStepTable } from './visit-table.ts';

export const insertStep = preparedInsert<typeof visitStepTable, 'id'>(visitStepTable);

// Behind a plus the site is compared without its index: all cars that are inside are more than the visits of a plate.
export const insertVisitRow = preparedInsert(t);

export async function updateVisitRow(q: Queries, row: VisitRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}
