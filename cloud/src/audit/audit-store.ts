import { and, eq, gte, lt, type SQL } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { beyond, inDirection, type ListOrder } from '../http/keyset.ts';
import type { Cursor } from '../http/list-envelope.ts';
import { auditTable as t } from './audit-table.ts';

export type AuditRow = typeof t.$inferSelect;

export interface AuditFilters {
  by?: string | undefined;
  subject?: string | undefined;
  subjectId?: string | undefined;
  from?: string | undefined;
  before?: string | undefined;
}

const ORDER: ListOrder = { at: t.at, id: t.id };

/** Rows in order, beyond a place. */
export async function listAudit(
  q: Queries,
  filters: AuditFilters,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<AuditRow[]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select()
    .from(t)
    .where(and(...conditions(filters), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

/** How many there are, up to a limit. */
export async function countAudit(q: Queries, filters: AuditFilters, limit: number): Promise<number> {
  const some = q
    .select({ id: t.id })
    .from(t)
    .where(and(...conditions(filters)))
    .limit(limit);
  return (await some).length;
}

function conditions({ by, subject, subjectId, from, before }: AuditFilters): (SQL | undefined)[] {
  return [
    by === undefined ? undefined : eq(t.by, by),
    subject === undefined ? undefined : eq(t.subject, subject),
    subjectId === undefined ? undefined : eq(t.subjectId, subjectId),
    from === undefined ? undefined : gte(t.at, from),
    before === undefined ? undefined : lt(t.at, before),
  ];
}
