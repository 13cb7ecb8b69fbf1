import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../../platform/db/db.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { visitSteps } from '../../../records/visits/find-visits.ts';
import { findPricedVisit } from './shown-price.ts';
import { historyFrom } from './visit-view.ts';

/** A visit that the caller may see, as the API shows it on its own, with its version. */
export async function visitWithHistory(q: Queries, id: string, own: OwnRows, now: UtcTime) {
  const found = await findPricedVisit(q, id, own, now);
  if (found === null) return null;
  const { row, visit } = found;
  return { visit: { ...visit, history: historyFrom(await visitSteps(q, id)) }, etag: etagOf(row) };
}
