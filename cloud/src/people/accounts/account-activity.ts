import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { desc, eqPlaceholder, max } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { tokenTable } from '../../records/auth/token-table.ts';

export interface Activity {
  seenOn: UtcTime | null;
  last: { action: string; on: UtcTime } | null;
}

const latestLine = prepared((q) =>
  q
    .select({ action: auditTable.action, on: auditTable.at })
    .from(auditTable)
    .where(eqPlaceholder(auditTable.by, 'by'))
    .orderBy(desc(auditTable.at), desc(auditTable.id))
    .limit(1)
    .prepare(),
);

const latestUse = prepared((q) =>
  q
    .select({ usedAt: max(tokenTable.usedAt) })
    .from(tokenTable)
    .where(eqPlaceholder(tokenTable.accountId, 'accountId'))
    .prepare(),
);

/** When some people were here last, and what they did then: two short look-ups for each. */
export async function activityOf(q: Queries, accountIds: readonly string[]): Promise<Map<string, Activity>> {
  const found = new Map<string, Activity>();
  for (const accountId of accountIds) {
    const last = (await latestLine(q).get({ by: `account:${accountId}` })) ?? null;
    const seenOn = (await latestUse(q).get({ accountId }))?.usedAt ?? null;
    found.set(accountId, { seenOn, last });
  }
  return found;
}
