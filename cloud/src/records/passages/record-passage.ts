import { foldPlate } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { gateMovementTable, laneAlertTable, passageDecisionTable } from './passage-table.ts';

// The same once more changes nothing.
const insertDecision = preparedInsert(passageDecisionTable, 'leave');
export const recordMovement = preparedInsert(gateMovementTable, 'leave');
export const recordAlert = preparedInsert(laneAlertTable, 'leave');

type DecisionRow = typeof passageDecisionTable.$inferSelect;

export async function recordDecision(q: Queries, row: Omit<DecisionRow, 'plateFolded'>): Promise<void> {
  await insertDecision(q, { plateFolded: row.plate === null ? null : foldPlate(row.plate), ...row });
}
