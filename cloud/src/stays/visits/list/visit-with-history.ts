import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../../platform/db/db.ts';
import type { Caller, OwnRows } from '../../../platform/http/caller.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { visitSteps } from '../../../records/visits/find-visits.ts';
import { type ActionContext, actionsOfVisit } from './actions-of-visit.ts';
import { findPricedVisit } from './shown-price.ts';
import { historyFrom } from './visit-view.ts';

/** A visit that the caller may see, as the API shows it on its own, with its version. */
export async function visitWithHistory(
  q: Queries,
  context: ActionContext,
  id: string,
  { caller, own, at }: { caller: Caller; own: OwnRows; at: UtcTime },
) {
  const found = await findPricedVisit(q, id, own, at);
  if (found === null) return null;
  const { row, visit } = found;
  const actions = await actionsOfVisit(q, context, caller, row, at);
  return { visit: { ...visit, actions, history: historyFrom(await visitSteps(q, id)) }, etag: etagOf(row) };
}
