import { randomUUID } from 'node:crypto';
import { foldPlate } from '@hlid/protocol/plate';
import type { VisitEditItem } from '@hlid/protocol/site-change';
import type { VisitStatus } from '@hlid/protocol/visit';
import { type Actor, audit } from '../audit/audit.ts';
import { callerName, ownRows } from '../auth/caller.ts';
import type { Db, Tx } from '../db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import { type ChosenSite, siteById } from '../sites/choose-site.ts';
import { followPlate } from '../whitelist/follow-plate.ts';
import { isEmptyPlan, planVisitEdit, type VisitEditPlan } from './plan-visit-edit.ts';
import { priceNow } from './price-now.ts';
import { settleVisit } from './settle-visit.ts';
import type { VisitEdit } from './visit-edit.ts';
import { findVisitRow, insertStep, updateVisitRow } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Corrects a visit: plate, status, how it is settled. The site hears of it, its history and the audit log say who did
 * it and why. An edit that changes nothing leaves no trace.
 */
export async function editVisit(
  db: Db,
  actor: Actor,
  id: string,
  edit: VisitEdit,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findVisitRow(tx.q, id, ownRows(actor.caller));
    if (before === null) return NOT_FOUND;
    const { endedOn: endedAt, ...wish } = edit;
    const planned = planVisitEdit(before, { ...wish, endedAt }, actor.at);
    const messages = [...fixedFields(before, edit), ...(planned.ok ? [] : planned.messages)];
    if (messages.length > 0 || !planned.ok) return refusedInput(...messages);
    if (isEmptyPlan(planned.plan)) return { ok: true };
    const site = await siteById(tx.q, before.siteId);
    if (site === null) throw new Error(`visit ${id} is of a site that is not there`);
    const why = edit.reason ?? usualReason(planned.plan);
    const after = await carryOut(tx, actor, before, site, planned.plan, why);
    await updateVisitRow(tx.q, { ...after, modifiedAt: actor.at });
    await insertStep(tx.q, {
      id: randomUUID(),
      visitId: id,
      siteId: before.siteId,
      from: before.status,
      to: after.status,
      why,
      by: callerName(actor.caller),
      at: actor.at,
    });
    await audit(tx, actor, {
      action: 'visit.update',
      subject: 'visit',
      subjectId: id,
      before: editable(before),
      after: editable(after),
      reason: edit.reason ?? null,
    });
    return { ok: true };
  });
}

/** Fields that a client may send back as it got them, and that nobody changes. */
function fixedFields(visit: VisitRow, { id, startedOn }: VisitEdit): string[] {
  return [
    ...(id !== undefined && id !== visit.id ? ['id: it cannot be changed'] : []),
    ...(startedOn !== undefined && startedOn !== visit.startedAt ? ['startedOn: it cannot be changed'] : []),
  ];
}

async function carryOut(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
  { plate, settle, ...rest }: VisitEditPlan,
  why: string,
): Promise<VisitRow> {
  const tell = (fields: VisitFields) => publishEdit(tx, actor, before, fields, why);
  if (settle === undefined) {
    const n = await tell({ ...(plate !== undefined && { plate }), ...rest });
    const corrected = plate === undefined ? before : await withPlate(tx, actor, before, plate, n);
    return await withStatus(tx, actor, corrected, site, rest, n);
  }
  const corrected =
    plate === undefined ? before : await withPlate(tx, actor, before, plate, await tell({ plate }));
  const settled = await settleVisit(tx, actor, corrected, site, settle);
  if (rest.status === undefined) return settled;
  return await withStatus(tx, actor, settled, site, rest, await tell(rest));
}

type VisitFields = Pick<VisitEditItem, 'plate' | 'status' | 'endedAt'>;

async function publishEdit(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  fields: VisitFields,
  reason: string,
): Promise<number> {
  const id = randomUUID();
  const by = callerName(actor.caller);
  const item: VisitEditItem = { id, visitId: visit.id, ...fields, reason, by, at: actor.at };
  return await publishChange(tx, visit.siteId, { kind: 'visit-edit', op: 'put', id, item });
}

async function withPlate(tx: Tx, actor: Actor, visit: VisitRow, plate: string, n: number): Promise<VisitRow> {
  await followPlate(tx, actor, visit.id, plate);
  return {
    ...visit,
    plate,
    plateFolded: foldPlate(plate),
    plateEditedAt: n,
    flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
    ...(visit.status === 'need-plate' ? { status: 'new', statusEditedAt: n } : {}),
  };
}

async function withStatus(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  { status, endedAt }: { status?: VisitStatus; endedAt?: string | null },
  n: number,
): Promise<VisitRow> {
  const moved: VisitRow = {
    ...visit,
    ...(status !== undefined && { status, statusEditedAt: n }),
    ...(endedAt !== undefined && { endedAt, endedEditedAt: n }),
  };
  if (status !== 'need-payment' || moved.price !== null) return moved;
  const priced = await priceNow(tx.q, moved, site, actor.at);
  if (priced === null) return moved;
  const { units: _, ...price } = priced;
  const { amountMinor, currency } = price;
  return { ...moved, amountMinor, currency, price: { ...price, pricedAt: actor.at } };
}

function usualReason({ plate, settle, status }: VisitEditPlan): string {
  if (settle !== undefined) return `settled: ${settle}`;
  return plate === undefined ? `status: ${status}` : 'plate corrected';
}

/** What an edit can change. */
function editable(visit: VisitRow) {
  const { plate, status, paymentStatus, startedAt, endedAt, amountMinor, unitsMet, paidUntil, flags } = visit;
  return { plate, status, paymentStatus, startedAt, endedAt, amountMinor, unitsMet, paidUntil, flags };
}
