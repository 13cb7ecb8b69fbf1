import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { needingApproval } from '../../../people/approvals/needs-approval.ts';
import type { Queries } from '../../../platform/db/db.ts';
import type { Caller, OwnRows } from '../../../platform/http/caller.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { visitSteps } from '../../../records/visits/find-visits.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { waiverOf } from '../price/waived.ts';
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
  const needsApproval = await needingApproval(q, [row.siteId], actions, {
    void: { limit: 'waiver', sum: async () => await waivedInAll(q, row, at) },
  });
  return {
    visit: { ...visit, actions, needsApproval, history: historyFrom(await visitSteps(q, id)) },
    etag: etagOf(row),
  };
}

/** The amount that a waiver now would give up, with earlier ones that count together with it. */
async function waivedInAll(q: Queries, visit: VisitRow, at: UtcTime) {
  const { amountMinor, beforeMinor, currency } = await waiverOf(
    q,
    visit,
    await siteOfVisit(q, visit),
    {},
    at,
  );
  return { amountMinor: amountMinor + beforeMinor, currency };
}
