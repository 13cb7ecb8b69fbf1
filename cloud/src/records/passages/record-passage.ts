import { foldPlate } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, eqPlaceholder, sql } from '../../platform/db/sql.ts';
import { countExit } from '../totals/count-stay.ts';
import { letsOut } from '../totals/let-out.ts';
import { gateMovementTable, laneAlertTable, passageDecisionTable } from './passage-table.ts';

// The same once more changes nothing.
const insertDecision = preparedInsert(passageDecisionTable, 'leave');
export const recordMovement = preparedInsert(gateMovementTable, 'leave');
export const recordAlert = preparedInsert(laneAlertTable, 'leave');

const t = passageDecisionTable;

type DecisionRow = typeof passageDecisionTable.$inferSelect;

const openingOf = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    .where(and(eqPlaceholder(t.passageId, 'passageId'), sql`${t.open} = 1`))
    .limit(1)
    .prepare(),
);

export async function recordDecision(q: Queries, row: Omit<DecisionRow, 'plateFolded'>): Promise<void> {
  const out = letsOut(row);
  // The first decision that opened counts: a car goes out once.
  const isCounted = out !== null && (await openingOf(q).get({ passageId: row.passageId })) === undefined;
  if (isCounted) await countExit(q, row, out === 'in-doubt');
  await insertDecision(q, { plateFolded: row.plate === null ? null : foldPlate(row.plate), ...row });
}
