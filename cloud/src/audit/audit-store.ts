import { and, eq, gte, lt, type SQL } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import type { ListOrder } from '../http/keyset.ts';
import { countRows, listRows, type PageOfRows } from '../http/list-rows.ts';
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
export async function listAudit(q: Queries, filters: AuditFilters, page: PageOfRows): Promise<AuditRow[]> {
  return await listRows(q, t, ORDER, and(...conditions(filters)), page);
}

/** How many there are, up to one more than are counted. */
export async function countAudit(q: Queries, filters: AuditFilters): Promise<number> {
  return await countRows(q, t, and(...conditions(filters)));
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
