import type { Queries } from '../../platform/db/db.ts';
import { desc, eq } from '../../platform/db/sql.ts';
import { gateMovementTable, laneAlertTable, passageDecisionTable } from './passage-table.ts';

/** The newest decision about a passage; null: there is none. */
export async function findDecision(q: Queries, passageId: string) {
  const t = passageDecisionTable;
  const found = await q.select().from(t).where(eq(t.passageId, passageId)).orderBy(desc(t.at)).limit(1).get();
  if (found === undefined) return null;
  const { decision: _, feedAt: __, id: ___, ...shown } = found;
  return shown;
}

/** A movement of a gate; null: there is none. */
export async function findMovement(q: Queries, id: string) {
  const t = gateMovementTable;
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The alert of a lane; null: there is none. */
export async function findAlert(q: Queries, id: string) {
  const t = laneAlertTable;
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}
