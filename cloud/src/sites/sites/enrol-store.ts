import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { siteEnrolmentTable as t } from '../../records/sites/site-table.ts';

export type EnrolmentRow = typeof t.$inferSelect;

/** Replaces the code that the site had. */
export async function putEnrolment(q: Queries, row: EnrolmentRow): Promise<void> {
  await q.insert(t).values(row).onConflictDoUpdate({ target: t.siteId, set: row });
}

export async function findEnrolment(q: Queries, codeHash: string): Promise<EnrolmentRow | null> {
  const [row] = await q.select().from(t).where(eq(t.codeHash, codeHash));
  return row ?? null;
}

/** No code of this site is good any more. */
export async function dropEnrolment(q: Queries, siteId: string): Promise<void> {
  await q.delete(t).where(eq(t.siteId, siteId));
}
