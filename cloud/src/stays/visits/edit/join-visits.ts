import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { comparePlates } from '@hlid/protocol/plate/plate';
import type { Db, Queries } from '../../../platform/db/db.ts';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../../platform/refused.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow, visitBetween } from '../../../records/visits/find-visits.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { recordChange } from '../change/record-change.ts';
import { isPaidFor, VISIT_ACTIONS } from '../visit-actions.ts';
import { changeEndTime } from './change-end-time.ts';
import { creditInvoiced } from './credit-invoiced.ts';
import { settleVisit } from './settle-visit.ts';
import type { VisitJoin } from './visit-commands.ts';

/**
 * Makes one visit of two that were one stay: the earlier has the later's end from then on, and the later is voided.
 * What was paid for the earlier stays paid; where something was paid for the later, the two stay apart.
 *
 * @returns the id of the earlier
 */
export async function joinVisits(
  db: Db,
  actor: Actor,
  id: string,
  join: VisitJoin,
): Promise<{ ok: true; id: string } | Refused> {
  return await db.write(async (tx) => {
    const one = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (one === null) return NOT_FOUND;
    const other = await findVisitRow(tx.q, join.visitId, ownRows(actor.caller));
    if (other === null) return refusedInput(mistake('not-found', 'visitId', { what: 'visit' }));
    const wrong = await joinMistakes(tx.q, one, other, join);
    if (wrong.length > 0) return refusedInput(...wrong);
    const [earlier, later] = inOrder(one, other);
    const { reason } = join;
    const site = await siteOfVisit(tx.q, earlier);

    // First the later: a plate is inside once, and the site would take the earlier's return for a lost exit.
    const voided = await settleVisit(tx, actor, later, site, { settle: 'void' });
    const voidedText = `joined to visit ${earlier.id}: ${reason}`;
    const action = { action: 'visit.join', historyText: voidedText, reason };
    await recordChange(tx, actor, { before: later, after: voided }, action);

    const kept = await creditInvoiced(tx, actor, earlier, site);
    const plate = join.plate ?? earlier.plate ?? later.plate ?? undefined;
    const { endedAt, exitLaneId, exitReadId, exitFoundBy } = lastOf(earlier, later);
    const end = {
      endedAt,
      exit: { exitLaneId, exitReadId, exitFoundBy },
      plate: plate === earlier.plate ? undefined : plate,
      reviewed: earlier.flags.filter((flag) => flag === 'lost-exit'),
    };
    const historyText = `joined with visit ${later.id}: ${reason}`;
    const after = await changeEndTime(tx, actor, kept, site, end, historyText);
    await recordChange(tx, actor, { before: earlier, after }, { ...action, historyText });
    return { ok: true, id: earlier.id };
  });
}

function inOrder(one: VisitRow, other: VisitRow): [earlier: VisitRow, later: VisitRow] {
  return [one.startedAt, one.id].join() <= [other.startedAt, other.id].join() ? [one, other] : [other, one];
}

/** The one of two visits that has the end: the later, unless it lies within the earlier. */
function lastOf(earlier: VisitRow, later: VisitRow): VisitRow {
  const within = earlier.endedAt !== null && later.endedAt !== null && earlier.endedAt > later.endedAt;
  return within ? earlier : later;
}

/** Why two visits are not joined, in either order. */
export async function joinMistakes(
  q: Queries,
  one: VisitRow,
  other: VisitRow,
  { plate }: Pick<VisitJoin, 'plate'>,
): Promise<Mistake[]> {
  const [earlier, later] = inOrder(one, other);
  if (earlier.id === later.id) return [mistake('same-visit', 'visitId')];
  if (earlier.siteId !== later.siteId) return [mistake('visit-of-another-site', 'visitId')];
  const plates = [earlier.plate, later.plate, plate ?? null].filter((known) => known !== null);
  const between = await visitBetween(q, earlier.siteId, {
    plates,
    after: earlier.startedAt,
    before: later.startedAt,
    but: [earlier.id, later.id],
  });
  return [
    ...(plates.length === 0 ? [mistake('neither-has-plate', 'plate')] : []),
    ...(plate === undefined && areDifferent(earlier.plate, later.plate)
      ? [mistake('which-plate', 'plate', { one: earlier.plate ?? '', other: later.plate ?? '' })]
      : []),
    ...(isPaidFor({ ...later, quota: null }) ? [mistake('later-is-paid')] : []),
    ...[earlier, later].map(VISIT_ACTIONS.join.refuse).filter((why) => why !== null),
    ...(between === null ? [] : [mistake('visit-between', [], { id: between.id })]),
  ];
}

/** Whether two known plates are not even alike. */
function areDifferent(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && comparePlates(one, other) === 'different';
}
