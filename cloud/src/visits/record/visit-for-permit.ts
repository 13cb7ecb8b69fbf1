import type { OwnRows } from '../auth/caller.ts';
import type { Queries } from '../db/db.ts';
import { findVisitRow } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/** A visit as an entry for it needs to know it; null where there is none that the caller may see. */
export async function visitForPermit(
  q: Queries,
  id: string,
  own: OwnRows,
): Promise<Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'status' | 'startedAt'> | null> {
  return await findVisitRow(q, id, own);
}
