import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { issueToOwner } from '../../../money/invoices/issue-to-owner.ts';
import type { WithdrawnSettlement } from '../../../money/invoices/withdraw-settlements.ts';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../../people/approvals/second-person.ts';
import { lacksProof } from '../../../people/auth/session-life.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedEdit,
  refusedInput,
  STEP_UP,
} from '../../../platform/refused.ts';
import { billingMethodOf } from '../../../records/customers/customer-billing.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow, visitDuring } from '../../../records/visits/find-visits.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { editRow } from '../change/change-visit.ts';
import { recordChange } from '../change/record-change.ts';
import { plateFields } from '../change/visit-plate.ts';
import { decideNow } from '../price/decide-now.ts';
import { priceNow } from '../price/price-now.ts';
import { waiverOf } from '../price/waived.ts';
import { type EditRequest, isEmptyPlan, planVisitEdit, type VisitEditPlan } from './plan-visit-edit.ts';
import { takeBackToReopen, takeBackToVoid } from './reverse-settlement.ts';
import { settleVisit } from './settle-visit.ts';
import type { VisitEdit } from './visit-commands.ts';

/**
 * Corrects a visit: plate, status, how it is settled. Its site is informed; its history and the audit log
 * record who did it and why. An edit that changes nothing leaves no trace.
 */
export async function editVisit(
  db: Db,
  actor: Actor,
  id: string,
  edit: VisitEdit,
): Promise<{ ok: true } | RefusedEdit | AwaitsApproval> {
  return await db.write(async (tx) => {
    if (actor.ifMatch !== undefined) {
      const before = await findVisitRow(tx.q, id, ownRows(actor.caller));
      if (before !== null && isStale(actor, before)) return STALE;
    }
    const planned = mayGiveUp(edit) ? await planEdit(tx.q, actor, id, edit) : null;
    if (planned?.ok === true && givesUp(planned.plan)) {
      if (lacksProof(actor)) return STEP_UP;
      const waits = await waiver(tx, actor, planned, actOf(id, edit));
      if (waits !== null) return waits;
    }
    return await editVisitWithin(tx, actor, id, edit);
  });
}

/** Waives what a visit owes, as a second person has approved it, within a transaction that does more. */
export async function waiveVisitIn(
  tx: Tx,
  actor: Actor,
  id: string,
  edit: VisitEdit,
): Promise<{ ok: true } | Refused | AwaitsApproval> {
  const planned = await planEdit(tx.q, actor, id, edit);
  if (!planned.ok) return planned;
  if (!givesUp(planned.plan)) return refusedInput(mistake('approval-nothing-left'));
  const waits = await waiver(tx, actor, planned, actOf(id, edit));
  return waits ?? (await editVisitWithin(tx, actor, id, edit));
}

function actOf(id: string, edit: VisitEdit): ActOnVisit {
  const { reason } = edit;
  return { kind: 'waiver', subjectId: id, args: edit, about: {}, ...(reason !== undefined && { reason }) };
}

type ActOnVisit = Pick<ActToApprove, 'kind' | 'subjectId' | 'args' | 'about'> & { reason?: string };

interface PlannedEdit {
  ok: true;
  before: VisitRow;
  site: ChosenSite;
  plan: VisitEditPlan;
}

/**
 * Keeps a planned edit that gives an amount up until a second person has approved it, if it is above the limit of its
 * site. @returns null: it may be done now
 */
export async function waiver(
  tx: Tx,
  actor: Actor,
  { before, site, plan }: PlannedEdit,
  { about, ...act }: ActOnVisit,
): Promise<AwaitsApproval | Refused | null> {
  const { plate, startedAt, endedAt, waivedMinor } = plan;
  return await secondPerson(
    tx,
    actor,
    {
      reason: usualReason(plan),
      ...act,
      siteIds: [before.siteId],
      about: { ...about, visitId: before.id },
    },
    await waiverOf(tx.q, before, site, { plate, startedAt, endedAt, waivedMinor }, actor.at),
  );
}

function mayGiveUp({ paymentStatus, waive }: VisitEdit): boolean {
  return paymentStatus === 'void' || paymentStatus === 'whitelisted' || waive !== undefined;
}

/** Giving money up needs the same confirmations as giving it back. */
function givesUp({ settle, waivedMinor }: VisitEditPlan): boolean {
  return settle === 'void' || settle === 'whitelisted' || waivedMinor !== undefined;
}

/**
 * The same within a transaction that does more.
 *
 * @param credited what was invoiced for the visit and is so no more: reopened, it is due again
 */
export async function editVisitWithin(
  tx: Tx,
  actor: Actor,
  id: string,
  edit: VisitEdit,
  credited: readonly WithdrawnSettlement[] = [],
): Promise<{ ok: true } | Refused> {
  const planned = await planEdit(tx.q, actor, id, edit);
  if (!planned.ok) return planned;
  const { before, site, plan } = planned;
  if (isEmptyPlan(plan)) return { ok: true };
  const { visit: kept, note } = await reverseSettlement(tx, actor, before, site, plan, credited);
  const historyText = `${edit.reason ?? usualReason(plan)}${note}`;
  const after = await carryOut(tx, actor, kept, site, plan, historyText);
  await recordChange(
    tx,
    actor,
    { before, after },
    { action: 'visit.update', historyText, reason: edit.reason },
  );
  if (plan.plate !== undefined) await issueToOwner(tx, plan.plate, actor.at, id);
  return { ok: true };
}

/** The plan of an edit, or all of its mistakes. Changes nothing. */
export async function planEdit(
  q: Queries,
  actor: Actor,
  id: string,
  edit: VisitEdit,
): Promise<PlannedEdit | Refused> {
  const before = await findVisitRow(q, id, ownRows(actor.caller));
  if (before === null) return NOT_FOUND;
  const site = await siteOfVisit(q, before);
  const { endedOn: endedAt, startedOn: startedAt, waive: waivedMinor, ...rest } = edit;
  const request = { ...rest, endedAt, startedAt, waivedMinor };
  const owes = await dueAtClosing(q, before, site, request, actor.at);
  const planned = planVisitEdit({ ...before, owes }, request, actor.at);
  const mistakes = [
    ...fixedFields(before, edit),
    ...(planned.ok
      ? [
          ...(await billingMistakes(q, before, planned.plan)),
          ...(await startMistakes(q, before, planned.plan)),
        ]
      : planned.mistakes),
  ];
  if (mistakes.length > 0 || !planned.ok) return refusedInput(...mistakes);
  return { ok: true, before, site, plan: planned.plan };
}

/** Reopening a visit, or voiding it, undoes the charges that have not been invoiced yet. */
async function reverseSettlement(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
  { status, settle }: VisitEditPlan,
  credited: readonly WithdrawnSettlement[],
): Promise<{ visit: VisitRow; note: string }> {
  if (settle === 'void') return await takeBackToVoid(tx, actor, before, site);
  if (before.status !== 'completed' || status === undefined) return { visit: before, note: '' };
  const { visit, note } = await takeBackToReopen(tx, actor, before, site, credited);
  return { visit, note: `${note}${metUnitsNote(visit)}` };
}

/** The note in the history about payments that stay when a visit ends. */
function metUnitsNote({ unitsMet }: VisitRow): string {
  if (unitsMet === 0) return '';
  return unitsMet === 1 ? ' (1 unit stays paid)' : ` (${unitsMet} units stay paid)`;
}

/** The due that would be given up if an edit closed a visit without a settlement; null: none. */
async function dueAtClosing(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  request: EditRequest,
  now: UtcTime,
): Promise<string | null> {
  const closes = request.status === 'completed' && visit.status !== 'completed';
  if (!closes || (request.paymentStatus ?? visit.paymentStatus) !== visit.paymentStatus) return null;
  const endedAt = request.endedAt ?? visit.endedAt ?? now;
  const { startedAt = visit.startedAt, plate = visit.plate } = request;
  const closed = { ...visit, startedAt, plate, endedAt };
  const price = await priceNow(q, closed, site, now);
  if (price === null || price.amountMinor === 0) return null;
  const { decision } = await decideNow(q, { ...closed, endedAt: null }, site, endedAt);
  const mayGo = decision.reason === 'nothing-due' || decision.reason === 'paid';
  return visit.endedAt === null && mayGo ? null : formatMoney(price, 'en');
}

/** The mistakes of an earlier start: the car may have been there for another visit. */
async function startMistakes(
  q: Queries,
  visit: VisitRow,
  { startedAt, plate = visit.plate ?? undefined }: VisitEditPlan,
): Promise<Mistake[]> {
  if (startedAt === undefined || plate === undefined) return [];
  const { id, siteId, startedAt: before } = visit;
  const found = await visitDuring(q, siteId, { plate, after: startedAt, before, but: id });
  return found === null ? [] : [mistake('plate-in-visit-then', 'startedOn', { id: found.id })];
}

/** A customer is invoiced only where it has agreed to be. */
async function billingMistakes(
  q: Queries,
  visit: VisitRow,
  { settle, plate: corrected }: VisitEditPlan,
): Promise<Mistake[]> {
  const plate = corrected ?? visit.plate;
  if (settle === 'owner-invoice' && plate === null) {
    return [mistake('owner-needs-plate', 'paymentStatus')];
  }
  if (settle !== 'company-invoice') return [];
  const { startedAt } = visit;
  const { customerId } = plate === visit.plate ? visit : await plateFields(q, plate, startedAt);
  const method = await billingMethodOf(q, customerId);
  if (method === 'daily' || method === 'monthly') return [];
  return [mistake(customerId === null ? 'no-customer-to-bill' : 'customer-without-billing', 'paymentStatus')];
}

/** Fields that a client may send back as it got them, and that cannot be changed. */
function fixedFields(visit: VisitRow, { id }: VisitEdit): Mistake[] {
  return id !== undefined && id !== visit.id ? [mistake('unchangeable', 'id')] : [];
}

async function carryOut(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
  { settle, paidWith, ...fields }: VisitEditPlan,
  historyText: string,
): Promise<VisitRow> {
  if (settle === undefined) return await editRow(tx, actor, before, site, fields, historyText);
  // The plate and the end come first: they decide what is to be settled. A settlement completes what has ended.
  const { status: _, ...first } = fields;
  const edited = isEmptyPlan(first) ? before : await editRow(tx, actor, before, site, first, historyText);
  return await settleVisit(tx, actor, edited, site, { settle, ...(paidWith !== undefined && { paidWith }) });
}

function usualReason({ plate, settle, paidWith, status, waivedMinor }: VisitEditPlan): string {
  if (waivedMinor !== undefined) return 'part given up';
  if (settle !== undefined) return `settled: ${paidWith === undefined ? settle : `paid (${paidWith})`}`;
  return plate === undefined ? `status: ${status}` : 'plate corrected';
}
