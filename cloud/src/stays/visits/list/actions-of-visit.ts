import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { hasPaidInvoice } from '../../../money/invoices/find-invoice.ts';
import { actionsFor } from '../../../people/auth/record-actions.ts';
import type { Queries } from '../../../platform/db/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { disputesAbout } from '../../../records/disputes/find-disputes.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { refusePermit } from '../../../vehicles/whitelist/whitelist-visit.ts';
import { noticeOf } from '../price/late-fee.ts';
import { VISIT_ACTION_NAMES, VISIT_ACTIONS, type VisitAction, type VisitFacts } from '../visit-actions.ts';

/** The parts that decide about actions besides the visit and its caller. */
export type ActionContext = Pick<CloudContext, 'cardGateways' | 'vehicleRegistry'>;

/** The actions of the caller on a visit now. Only accounts have any. */
export async function actionsOfVisit(
  q: Queries,
  { cardGateways, vehicleRegistry }: ActionContext,
  caller: Caller,
  visit: VisitRow,
  at: UtcTime,
): Promise<VisitAction[]> {
  if (caller.kind !== 'account') return [];
  const { id: visitId, siteId } = visit;
  const { settings } = await siteOfVisit(q, visit);
  const facts: VisitFacts = {
    ...visit,
    disputes: await disputesAbout(q, { visitId }),
    noticeAt: await noticeOf(q, visitId),
    hasPaid: await hasPaidInvoice(q, visitId),
    takesCards: cardGateways.choose(settings.cardGateway, undefined) !== null,
    hasRegistry: vehicleRegistry !== null,
    permitRefusal: await refusePermit(q, { caller, at }, visit),
  };
  return actionsFor(VISIT_ACTION_NAMES, VISIT_ACTIONS, caller, { siteId }, facts);
}
