import type { Actor } from '../audit/audit.ts';
import { ownRows } from '../auth/caller.ts';
import { billingMethodOf } from '../billing/customer-billing.ts';
import type { Db, Queries, Tx } from '../db/db.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { editRow } from './change-visit.ts';
import { isEmptyPlan, planVisitEdit, type VisitEditPlan } from './plan-visit-edit.ts';
import { recordDeed } from './record-deed.ts';
import { settleVisit } from './settle-visit.ts';
import { siteOfVisit } from './site-of-visit.ts';
import { takeBackToReopen, takeBackToVoid } from './take-back.ts';
import type { VisitEdit } from './visit-edit.ts';
import { plateFields } from './visit-plate.ts';
import { findVisitRow } from './visit-store.ts';
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
  return await db.write((tx) => editVisitWithin(tx, actor, id, edit));
}

/** The same within a transaction that does more. */
export async function editVisitWithin(
  tx: Tx,
  actor: Actor,
  id: string,
  edit: VisitEdit,
): Promise<{ ok: true } | Refused> {
  const before = await findVisitRow(tx.q, id, ownRows(actor.caller));
  if (before === null) return NOT_FOUND;
  const { endedOn: endedAt, ...wish } = edit;
  const planned = planVisitEdit(before, { ...wish, endedAt }, actor.at);
  const messages = [
    ...fixedFields(before, edit),
    ...(planned.ok ? await billingMistakes(tx.q, before, planned.plan) : planned.messages),
  ];
  if (messages.length > 0 || !planned.ok) return refusedInput(...messages);
  const { plan } = planned;
  if (isEmptyPlan(plan)) return { ok: true };
  const site = await siteOfVisit(tx.q, before);
  const { visit: kept, note } = await takeBack(tx, actor, before, site, plan);
  const why = `${edit.reason ?? usualReason(plan)}${note}`;
  const after = await carryOut(tx, actor, kept, site, plan, why);
  await recordDeed(tx, actor, { before, after }, { action: 'visit.update', why, reason: edit.reason });
  return { ok: true };
}

/** What opens a visit again, and what voids it, undoes what has not been invoiced yet. */
async function takeBack(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
  { status, settle }: VisitEditPlan,
): Promise<{ visit: VisitRow; note: string }> {
  if (settle === 'void') return await takeBackToVoid(tx, actor, before, site);
  if (before.status !== 'completed' || status === undefined) return { visit: before, note: '' };
  const { visit, note } = await takeBackToReopen(tx, actor, before, site);
  return { visit, note: `${note}${stillMet(visit)}` };
}

/** What the history says of payments that outlive a visit's end. */
function stillMet({ unitsMet }: VisitRow): string {
  if (unitsMet === 0) return '';
  return unitsMet === 1 ? ' (1 unit stays paid)' : ` (${unitsMet} units stay paid)`;
}

/** A customer is invoiced only where it has agreed to be. */
async function billingMistakes(
  q: Queries,
  visit: VisitRow,
  { settle, plate: corrected }: VisitEditPlan,
): Promise<string[]> {
  const plate = corrected ?? visit.plate;
  if (settle === 'owner-invoice' && plate === null) {
    return ['paymentStatus: an invoice to the owner needs a plate'];
  }
  if (settle !== 'company-invoice') return [];
  const { startedAt } = visit;
  const { customerId } = plate === visit.plate ? visit : await plateFields(q, plate, startedAt);
  const method = await billingMethodOf(q, customerId);
  if (method === 'daily' || method === 'monthly') return [];
  return [
    'paymentStatus: company-invoice is for visits of a customer with daily or monthly billing, ' +
      (customerId === null ? 'and this is nobody’s' : 'and this one’s has none'),
  ];
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
  { settle, ...fields }: VisitEditPlan,
  why: string,
): Promise<VisitRow> {
  if (settle === undefined) return await editRow(tx, actor, before, site, fields, why);
  // First the plate and the end, which say what is to be settled; a settlement completes what has ended.
  const { status: _, ...first } = fields;
  const edited = isEmptyPlan(first) ? before : await editRow(tx, actor, before, site, first, why);
  return await settleVisit(tx, actor, edited, site, settle);
}

function usualReason({ plate, settle, status }: VisitEditPlan): string {
  if (settle !== undefined) return `settled: ${settle}`;
  return plate === undefined ? `status: ${status}` : 'plate corrected';
}
