import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { expireApprovals } from '../../people/approvals/second-person.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db } from '../../platform/db/db.ts';
import { and, asc, eq, inArray, lte } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { approvalTable as t } from '../../records/approvals/approval-table.ts';

const AT_ONCE = 100;

/** Ends requests for approval to which nobody has answered in time. */
export function approvalEndRun(db: Db): ScheduledRun {
  const over = (now: UtcTime) => and(eq(t.state, 'waiting'), lte(t.expiresAt, now));
  return {
    name: 'approval-end',
    everyMs: MINUTE_MS,
    isDue: async (now) =>
      (await db.read((q) => q.select({ id: t.id }).from(t).where(over(now)).limit(1))).length > 0,
    async work({ now, signal }) {
      let rows = AT_ONCE;
      while (rows >= AT_ONCE && !signal.aborted) {
        rows = await db.write(async (tx) => {
          const some = tx.q
            .select({ id: t.id })
            .from(t)
            .where(over(now))
            .orderBy(asc(t.expiresAt))
            .limit(AT_ONCE);
          return await expireApprovals(tx, cloudActor('approvals', now), inArray(t.id, some));
        });
      }
    },
  };
}
