import type { Queries } from '../../db/db.ts';
import type { OwnRows } from '../../http/caller.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { findVisitRow } from './visit-store.ts';

/** A visit as an entry for it needs to know it; null where there is none that the caller may see. */
export async function visitForPermit(
  q: Queries,
  id: string,
  own: OwnRows,
): Promise<Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'status' | 'startedAt'> | null> {
  return await findVisitRow(q, id, own);
}
