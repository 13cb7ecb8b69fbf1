import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eq, eqPlaceholder, gte, lt, type SQL, sql, unindexed } from '../../platform/db/sql.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { auditTable as t } from '../../records/audit/audit-table.ts';

export type AuditRow = typeof t.$inferSelect;

export interface AuditFilters {
  by?: string | undefined;
  subject?: string | undefined;
  subjectId?: string | undefined;
  action?: string | undefined;
  siteId?: string | undefined;
  from?: string | undefined;
  before?: string | undefined;
}

const ORDER: ListOrder = { at: t.at, id: t.id };

/** Rows in order, beyond a place. */
export async function listAudit(q: Queries, filters: AuditFilters, page: PageOfRows): Promise<AuditRow[]> {
  return await listRows(q, t, ORDER, and(...conditions(filters)), page);
}

/** How many there are, up to one more than are counted. */
export async function countAudit(q: Queries, filters: AuditFilters): Promise<number> {
  return await countRows(q, t, and(...conditions(filters)));
}

/** A row leads to fewer lines than a person, a person to fewer than an action, and so on. */
function conditions(filters: AuditFilters): (SQL | undefined)[] {
  const { by, subject, subjectId, siteId, action, from, before } = filters;
  const leaders = { row: subjectId, person: by, action, site: siteId, kind: subject };
  const leader = Object.entries(leaders).find(([, value]) => value !== undefined)?.[0];
  const when = (value: string | undefined, column: SQLiteColumn, ...leading: string[]) =>
    value === undefined ? undefined : eq(unindexed(column, !leading.includes(leader ?? '')), value);
  return [
    when(by, t.by, 'person'),
    when(subject, t.subject, 'row', 'kind'),
    when(subjectId, t.subjectId, 'row'),
    when(siteId, t.siteId, 'site'),
    when(action, t.action, 'action'),
    from === undefined ? undefined : gte(t.at, from),
    before === undefined ? undefined : lt(t.at, before),
  ];
}

const lookUp = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eqPlaceholder(t.subjectId, 'plate'),
        eq(t.subject, 'plate'),
        gte(t.at, sql.placeholder('since')),
        sql`+${t.by} = ${sql.placeholder('by')}`,
        sql`+${t.action} = 'plate.look-up'`,
      ),
    )
    .limit(1)
    .prepare(),
);

/** Whether a person has looked up a plate since a moment. */
export async function hasLookedUp(
  q: Queries,
  { by, plate, since }: { by: string; plate: string; since: string },
): Promise<boolean> {
  return (await lookUp(q).get({ by, plate, since })) !== undefined;
}
