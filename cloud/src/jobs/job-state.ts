import { eq } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { jobTable as t } from './job-table.ts';

export type JobState = Pick<typeof t.$inferSelect, 'lastStartedAt' | 'lastDoneAt' | 'lastError'>;

const NEVER: JobState = { lastStartedAt: null, lastDoneAt: null, lastError: null };

/** When a scheduled run was done last, and how it ended. */
export async function jobState(q: Queries, name: string): Promise<JobState> {
  const [row] = await q.select().from(t).where(eq(t.name, name));
  return row ?? NEVER;
}
