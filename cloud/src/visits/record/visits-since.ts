import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, eq, gte, isNull } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { visitTable as t } from './visit-table.ts';

/** Whether a site (null: any) has had a visit since a moment, or has one from before that is not over. */
export async function hasVisitsSince(q: Queries, siteId: string | null, since: UtcTime): Promise<boolean> {
  const atSite = siteId === null ? undefined : eq(t.siteId, siteId);
  const find = (condition: ReturnType<typeof isNull>) =>
    q.select({ id: t.id }).from(t).where(and(atSite, condition)).limit(1).get();
  return ((await find(isNull(t.endedAt))) ?? (await find(gte(t.startedAt, since)))) !== undefined;
}
