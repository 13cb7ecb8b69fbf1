import { newId } from '@hlid/node/new-id';
import type { PaidWith, Visit, VisitPrice } from '@hlid/protocol/records/visit';
import { editedVisit, needsPrice } from '@hlid/protocol/rules/visit-edit';
import { settledVisit } from '@hlid/protocol/rules/visit-settlement';
import { changesToClear, pricedAt } from '@hlid/protocol/rules/visit-transitions';
import type { SettlementItem, VisitEditItem } from '@hlid/protocol/site-link/site-change';
import type { Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { openVisitOf } from '../../../records/visits/open-visits.ts';
import { insertSettlement } from '../../../records/visits/settlements.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { followPlate } from '../../../vehicles/whitelist/change-whitelist.ts';
import { quotaByPlate } from '../price/exit-facts.ts';
import { priceNow, settingsFor } from '../price/price-now.ts';
import { recordChange } from './record-change.ts';
import { plateFields } from './visit-plate.ts';

type Met = Pick<SettlementItem, 'paymentStatus' | 'amountMinor' | 'currency' | 'units'> &
  Partial<Pick<SettlementItem, 'id' | 'settledAt'>> & { paidWith?: PaidWith };

/**
 * Records that something of a visit is settled, or no longer settled, and notifies its site, which will have
 * the same state. The caller stores the row.
 *
 * @param met made now, unless it has a time; with a new id, unless it has one
 * @param price the price that it settles; null: nothing has priced the visit
 */
export async function settleRow(
  tx: Tx,
  actor: Actor,
  row: VisitRow,
  site: ChosenSite,
  { paidWith = undefined, ...met }: Met,
  price: VisitPrice | null,
): Promise<{ row: VisitRow; settlement: SettlementItem }> {
  const { id: visitId, siteId } = row;
  const by = callerName(actor.caller);
  const settlement: SettlementItem = { id: newId(), visitId, settledAt: actor.at, ...met, by };
  const change = { kind: 'settlement', op: 'put', id: settlement.id, item: settlement } as const;
  const n = await publishChange(tx, siteId, change);
  await insertSettlement(tx.q, { ...settlement, siteId, paidWith: paidWith ?? null, feedN: n });
  const { exitGraceMinutes } = await settingsFor(tx.q, site, price);
  const settled = settledVisit(siteVisit(row), settlement, { price, at: actor.at, exitGraceMinutes });
  return { row: { ...rowAfter(row, settled, n), statusEditedAt: n, paymentEditedAt: n }, settlement };
}

/** The fields of a visit that a person can change. */
export type VisitFields = Omit<VisitEditItem, 'id' | 'visitId' | 'reason' | 'by' | 'at'>;

/**
 * Changes a visit as a person requests, and notifies its site, which will have it the same. The caller stores
 * it.
 */
export async function editRow(
  tx: Tx,
  actor: Actor,
  row: VisitRow,
  site: ChosenSite,
  fields: VisitFields,
  reason: string,
): Promise<VisitRow> {
  const { id: visitId, siteId } = row;
  const { at } = actor;
  const item: VisitEditItem = {
    id: newId(),
    visitId,
    ...fields,
    reason,
    by: callerName(actor.caller),
    at,
  };
  const n = await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id: item.id, item });
  const edited = editedVisit(siteVisit(row), item);
  const { plate } = fields;
  if (plate !== undefined) {
    // A permit for this visit keeps the plate that it had.
    if (plate !== null) await followPlate(tx, actor, visitId, plate);
    edited.quota = await quotaByPlate(tx.q, site, { ...row, endedAt: edited.endedAt }, plate, at);
  }
  if (edited.endedAt === null && edited.plate !== null) await clearPlate(tx, actor, edited, siteId, n);
  // The holder of a visit depends on when it began.
  const isOthers = plate !== undefined || edited.startedAt !== row.startedAt;
  const named = isOthers ? { ...row, ...(await plateFields(tx.q, edited.plate, edited.startedAt)) } : row;
  const after = rowAfter(named, edited, n);
  const guarded = {
    ...after,
    ...(plate !== undefined && { plateEditedAt: n, plateByPerson: row.plateByPerson || plate !== row.plate }),
    ...(fields.status !== undefined && { statusEditedAt: n }),
    ...(fields.startedAt !== undefined && { startedEditedAt: n, paymentEditedAt: n }),
    ...(fields.endedAt !== undefined && { endedEditedAt: n, paymentEditedAt: n }),
    ...((fields.reviewed ?? fields.flagged) !== undefined && { flagsEditedAt: n }),
  };
  if (!needsPrice(edited)) return guarded;
  const price = pricedAt(await priceNow(tx.q, guarded, site, at), at);
  return { ...guarded, ...priceFields(price), paymentEditedAt: n };
}

/** Makes way for a plate that is inside from now on, as its site does. */
async function clearPlate(
  tx: Tx,
  actor: Actor,
  { id, plate }: Pick<Visit, 'id' | 'plate'>,
  siteId: string,
  n: number,
): Promise<void> {
  const inside = plate === null ? null : await openVisitOf(tx.q, siteId, plate, actor.at);
  if (inside === null) return;
  const context = { at: actor.at, by: callerName(actor.caller), reason: 'plate-given-away' };
  for (const { after, context: lost } of changesToClear(siteVisit(inside), id, context)) {
    // The site ends it too, perhaps earlier, and its word counts: nothing guards this end against its events.
    const { statusEditedAt, endedEditedAt, flagsEditedAt, paymentEditedAt } = inside;
    const guards = { statusEditedAt, endedEditedAt, flagsEditedAt, paymentEditedAt };
    const visit = { before: inside, after: { ...rowAfter(inside, after, n), ...guards } };
    await recordChange(tx, actor, visit, {
      action: 'visit.update',
      historyText: lost.reason,
      reason: undefined,
    });
  }
}

/** A price as a visit's row has it; null: not priced. */
export function priceFields(price: VisitPrice | null): Pick<VisitRow, 'price' | 'amountMinor' | 'currency'> {
  return { price, amountMinor: price?.amountMinor ?? null, currency: price?.currency ?? null };
}

/** A failed payment stands until the visit is settled or ended; the rules do not know of it. */
function failedBefore({ paymentStatus }: VisitRow, { status }: Visit): 'failed' | null {
  return paymentStatus === 'failed' && status !== 'completed' ? paymentStatus : null;
}

/** A visit's row with what the rules have made of the visit; `n` is the number of the change in its site's feed. */
function rowAfter(row: VisitRow, visit: Visit, n: number): VisitRow {
  const before = siteVisit(row);
  const changed = (...names: (keyof Visit)[]) =>
    names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(visit[name]));
  return {
    ...row,
    ...visit,
    paymentStatus: visit.paymentStatus ?? failedBefore(row, visit),
    ...priceFields(visit.price),
    ...(changed('status') && { statusEditedAt: n }),
    ...(changed('endedAt') && { endedEditedAt: n }),
    ...(changed('flags') && { flagsEditedAt: n }),
    ...(changed('paymentStatus', 'price', 'unitsMet', 'paidMinor', 'paidUntil') && { paymentEditedAt: n }),
  };
}
