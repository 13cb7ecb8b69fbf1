import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { pricedAt } from '@hlid/protocol/rules/visit-transitions';
import type { Db, Queries } from '../../../platform/db/db.ts';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../../platform/refused.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow, openVisitOfPlate } from '../../../records/visits/find-visits.ts';
import { newVisitRow } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { addVisit } from '../change/add-visit.ts';
import { priceFields } from '../change/change-visit.ts';
import { recordChange } from '../change/record-change.ts';
import { plateFields } from '../change/visit-plate.ts';
import { priceNow } from '../price/price-now.ts';
import { VISIT_ACTIONS } from '../visit-actions.ts';
import { changeEndTime, NO_EXIT } from './change-end-time.ts';
import type { VisitSplit } from './visit-commands.ts';

/**
 * Makes two visits of one in which a car left and came back unseen. The first ends at that moment, the second begins
 * there and has the end; each is priced for its own time. Refused if something was paid: it is uncertain for which.
 *
 * @returns the id of the second
 */
export async function splitVisit(
  db: Db,
  actor: Actor,
  id: string,
  split: VisitSplit,
): Promise<{ ok: true; id: string } | Refused> {
  return await db.write(async (tx) => {
    const first = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (first === null) return NOT_FOUND;
    const { at, reason } = split;
    const plate = split.plate ?? first.plate;
    const wrong = await mistakes(tx.q, actor, first, { at, plate });
    if (wrong.length > 0) return refusedInput(...wrong);
    const site = await siteOfVisit(tx.q, first);
    const secondId = newId();
    const end = { endedAt: at, exit: NO_EXIT };
    const historyText = `split, visit ${secondId} goes on: ${reason}`;
    const after = await changeEndTime(tx, actor, first, site, end, historyText);
    await recordChange(tx, actor, { before: first, after }, { action: 'visit.split', historyText, reason });

    const { endedAt, exitLaneId, exitReadId, exitFoundBy } = first;
    const begun: VisitRow = {
      ...newVisitRow(actor, { id: secondId, siteId: first.siteId, startedAt: at, status: 'new' }),
      ...(await plateFields(tx.q, plate, at)),
      endedAt,
      exitLaneId,
      exitReadId,
      exitFoundBy,
    };
    const second = endedAt === null ? begun : await leftUnsettled(tx.q, actor, begun, site);
    const action = { action: 'visit.create', historyText: `split from visit ${first.id}: ${reason}`, reason };
    await addVisit(tx, actor, second, action);
    return { ok: true, id: secondId };
  });
}

async function mistakes(
  q: Queries,
  actor: Actor,
  visit: VisitRow,
  { at, plate }: { at: string; plate: string | null },
): Promise<Mistake[]> {
  const until = visit.endedAt ?? actor.at;
  const inside = plate === null ? null : await openVisitOfPlate(q, visit.siteId, plate);
  const why = VISIT_ACTIONS.split.refuse(visit);
  const comesBack = visit.endedAt === null && inside !== null && inside.id !== visit.id;
  return [
    ...(why === null ? [] : [why]),
    ...(at <= visit.startedAt || at >= until ? [mistake('not-within-visit', 'at', { until })] : []),
    ...(comesBack ? [mistake('inside-in-visit', 'plate', { plate: plate ?? '', id: inside.id })] : []),
  ];
}

/** Left with what it owes; completed where that is nothing. */
async function leftUnsettled(q: Queries, actor: Actor, visit: VisitRow, site: ChosenSite): Promise<VisitRow> {
  const priced = await priceNow(q, visit, site, actor.at);
  if (priced === null || priced.amountMinor === 0) return { ...visit, status: 'completed' };
  return { ...visit, status: 'need-payment', ...priceFields(pricedAt(priced, actor.at)) };
}
