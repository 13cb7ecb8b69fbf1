import { auditUnder } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq, inArray } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { NOT_FOUND, type RefusedEdit } from '../../platform/refused.ts';
import {
  type BookkeepingPlanRow,
  bookkeepingPlanTable as t,
} from '../../records/books/bookkeeping-plan-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import type { BookkeepingPlanEdit } from './bookkeeping-plan.ts';

const auditPlan = auditUnder<BookkeepingPlanRow>(
  'bookkeeping-plan',
  ({ siteId }) => siteId,
  ({ lines, datev }) => ({ lines, datev }),
);

/** @param siteId empty: the plan of every site */
export async function planOf(q: Queries, siteId: string): Promise<BookkeepingPlanRow> {
  const row = await q.select().from(t).where(eq(t.siteId, siteId)).get();
  return row ?? { siteId, lines: [], datev: null, modifiedAt: '' };
}

/** The plans of these sites, and that of every site. */
export async function plansOf(q: Queries, siteIds: readonly string[]): Promise<BookkeepingPlanRow[]> {
  return await q
    .select()
    .from(t)
    .where(inArray(t.siteId, ['', ...siteIds]));
}

/** Sets a plan as a whole. @param siteId null: that of every site */
export async function setPlan(
  db: Db,
  actor: Actor,
  siteId: string | null,
  edit: BookkeepingPlanEdit,
): Promise<{ ok: true; plan: BookkeepingPlanRow; inherited: BookkeepingPlanRow | null } | RefusedEdit> {
  return await db.write(async (tx) => {
    if (siteId !== null && (await siteById(tx.q, siteId)) === null) return NOT_FOUND;
    const before = await planOf(tx.q, siteId ?? '');
    if (isStale(actor, before)) return STALE;
    const plan: BookkeepingPlanRow = { ...edit, siteId: before.siteId, modifiedAt: actor.at };
    const { siteId: _, ...set } = plan;
    await tx.q.insert(t).values(plan).onConflictDoUpdate({ target: t.siteId, set });
    await auditPlan(tx, actor, 'bookkeeping-plan.set', before.modifiedAt === '' ? null : before, plan);
    return { ok: true, plan, inherited: siteId === null ? null : await planOf(tx.q, '') };
  });
}
