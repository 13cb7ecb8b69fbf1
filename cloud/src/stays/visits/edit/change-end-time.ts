import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReviewFlag, VisitPrice, VisitStatus } from '@hlid/protocol/records/visit';
import { pricedAt } from '@hlid/protocol/rules/visit-transitions';
import type { Queries, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { editRow, type VisitFields } from '../change/change-visit.ts';
import { priceNow } from '../price/price-now.ts';

/** How a visit was seen to leave. */
export type ExitFields = Pick<VisitRow, 'exitLaneId' | 'exitReadId' | 'exitFoundBy'>;

export const NO_EXIT: ExitFields = { exitLaneId: null, exitReadId: null, exitFoundBy: null };

/**
 * Gives a visit another end (null: it goes on) and notifies its site. It is priced again, since its due was
 * of another stay: if something is due, it waits for a person to settle it, and nothing that was paid is
 * lost.
 */
export async function changeEndTime(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  to: {
    endedAt: UtcTime | null;
    exit: ExitFields;
    plate?: string | null | undefined;
    reviewed?: ReviewFlag[];
    /** It owes no more than that, whatever its price is. Absent: it owes its price. */
    maxDueMinor?: number;
  },
  reason: string,
): Promise<VisitRow> {
  const { endedAt, exit, plate, reviewed = [], maxDueMinor = Number.POSITIVE_INFINITY } = to;
  const due = await dueByThen(tx.q, visit, site, { endedAt, plate, at: actor.at, maxDueMinor });
  const status = statusOf(visit, due);
  const fields: VisitFields = {
    ...(plate !== undefined && { plate }),
    ...(status !== visit.status && { status }),
    ...(reviewed.length > 0 && { reviewed }),
    endedAt,
  };
  const edited = await editRow(tx, actor, visit, site, fields, reason);
  const moved = { ...edited, ...exit };
  const tooMuch = due === 'open' ? 0 : (moved.amountMinor ?? 0) - maxDueMinor;
  if (status === 'need-payment' && tooMuch > 0)
    return await editRow(tx, actor, moved, site, { waivedMinor: tooMuch }, reason);
  if (due === 'open' || status === 'need-payment' || status === 'completed') return moved;
  return await editRow(tx, actor, moved, site, { status: 'completed' }, reason);
}

/** The debt when it ends then; null: none. */
async function dueByThen(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  then: { endedAt: UtcTime | null; plate?: string | null | undefined; at: UtcTime; maxDueMinor: number },
): Promise<VisitPrice | null | 'open'> {
  const { endedAt, plate = visit.plate, at, maxDueMinor } = then;
  if (endedAt === null) return 'open';
  if (maxDueMinor === 0) return null;
  const priced = await priceNow(q, { ...visit, plate, endedAt }, site, at);
  if (priced === null || priced.amountMinor === 0) return null;
  return pricedAt(priced, at);
}

/**
 * Changes the status in one step: a visit that ends with nothing due is opened first, if it was asked to pay,
 * then closed.
 */
function statusOf(visit: VisitRow, due: VisitPrice | null | 'open'): VisitStatus {
  if (due === 'open') return 'new';
  if (due !== null) return 'need-payment';
  return visit.status === 'completed' ? 'completed' : 'new';
}
