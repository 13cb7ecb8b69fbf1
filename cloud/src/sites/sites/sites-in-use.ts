import type { Queries } from '../../platform/db/db.ts';
import { asc, isNotNull, isNull } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { siteTable as t } from '../../records/sites/site-table.ts';

/** The sites that a report counts beside those in use. */
export interface ReportedSites {
  /** Named by the question: it counts, archived or not. */
  siteId?: string | undefined;
  /** Archived sites count too. */
  archived?: 'all' | undefined;
}

/** Whether a report leaves archived sites out: it does unless it names a site, or asks for all. */
function leavesArchivedOut({ siteId, archived }: ReportedSites): boolean {
  return siteId === undefined && archived !== 'all';
}

/** The sites that a report counts; null: every site that the caller sees, and none of them is left out. */
export async function sitesOfReport(
  q: Queries,
  own: OwnRows,
  asked: ReportedSites,
): Promise<readonly string[] | null> {
  if (!leavesArchivedOut(asked)) return null;
  const archived = await q.select({ id: t.id }).from(t).where(isNotNull(t.archivedAt));
  if (!archived.some(({ id }) => seesSite(own, id))) return null;
  const inUse = await q.select({ id: t.id }).from(t).where(isNull(t.archivedAt)).orderBy(asc(t.id));
  return inUse.map(({ id }) => id).filter((id) => seesSite(own, id));
}

/** The rows that a report counts: of people of a customer all of theirs, wherever they are. */
export async function rowsOfReport(q: Queries, own: OwnRows, asked: ReportedSites): Promise<OwnRows> {
  if (!own.all) return own;
  return { all: true, siteIds: (await sitesOfReport(q, own, asked)) ?? sitesOf(own) };
}
