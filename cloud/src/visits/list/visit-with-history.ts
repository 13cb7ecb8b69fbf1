import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../../db/db.ts';
import type { OwnRows } from '../../http/caller.ts';
import { visitSteps } from '../record/visit-store.ts';
import { findPricedVisit } from './shown-price.ts';
import { historyFrom } from './visit-view.ts';

/** A visit that the caller may see, as the API shows it on its own. */
export async function visitWithHistory(q: Queries, id: string, own: OwnRows, now: UtcTime) {
  const visit = await findPricedVisit(q, id, own, now);
  if (visit === null) return null;
  return { ...visit, history: historyFrom(await visitSteps(q, id)) };
}
