import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { issueToOwner } from '../../money/invoices/issue-to-owner.ts';
import type { AwaitsApproval } from '../../people/approvals/second-person.ts';
import { auditOf } from '../../people/audit/audit.ts';
import { lacksProof } from '../../people/auth/session-life.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, eq } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedProof, refusedInput, STEP_UP } from '../../platform/refused.ts';
import { type DisputeRow, disputeTable as t } from '../../records/disputes/dispute-table.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { editRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import { editVisitWithin, planEdit, waiver } from '../../stays/visits/edit/edit-visit.ts';
import type { StayFacts } from '../stay-facts-text.ts';
import { DISPUTE_ACTIONS } from './dispute-actions.ts';
import { answerMail } from './dispute-mail.ts';
import type { DisputeAnswer } from './dispute-view.ts';
import { seesDispute } from './find-dispute.ts';

const auditAnswer = auditOf<DisputeRow>('dispute', ({ state, answer, answeredAt, voided }) => ({
  state,
  answer,
  answeredAt,
  voided,
}));

/**
 * Answers a dispute as an operator: the flag is removed from the visit, what waited for the answer goes on, and the
 * person who contests gets the answer by mail. If the answer voids the visit, both are done or neither.
 */
export async function answerDispute(
  db: Db,
  actor: Actor,
  id: string,
  answer: DisputeAnswer,
): Promise<Answered> {
  return await db.write((tx) => answerDisputeIn(tx, actor, id, answer));
}

type Answered = { ok: true } | Refused | RefusedProof | AwaitsApproval;

/** The same within a transaction that does more. */
export async function answerDisputeIn(
  tx: Tx,
  actor: Actor,
  id: string,
  answer: DisputeAnswer,
): Promise<Answered> {
  const before = await tx.q.select().from(t).where(eq(t.id, id)).get();
  if (before === undefined || !seesDispute(before, ownRows(actor.caller))) return NOT_FOUND;
  const why = DISPUTE_ACTIONS.answer.refuse(before);
  if (why !== null) return refusedInput(why);
  const voids = answer.void === true;
  if (voids && (answer.outcome !== 'upheld' || before.visitId === null)) {
    return refusedInput(mistake('void-upheld-visit', 'void'));
  }
  if (voids && lacksProof(actor)) return STEP_UP;
  if (voids && before.visitId !== null) {
    const reason = answer.answer.slice(0, 500);
    const edit = { paymentStatus: 'void', reason } as const;
    const planned = await planEdit(tx.q, actor, before.visitId, edit);
    if (!planned.ok) return planned;
    const about = { disputeId: id };
    const act = { kind: 'dispute', subjectId: id, args: answer, about, reason } as const;
    const waits = await waiver(tx, actor, planned, act);
    if (waits !== null) return waits;
    const voided = await editVisitWithin(tx, actor, before.visitId, edit);
    if (!voided.ok) return voided;
  }
  await store(tx, actor, before, answer);
  const visit = before.visitId === null ? null : await resolveFlag(tx, actor, before.visitId);
  await mailAnswer(tx, actor, { before, visit, answer });
  return { ok: true };
}

async function store(tx: Tx, actor: Actor, before: DisputeRow, given: DisputeAnswer): Promise<void> {
  const fields = {
    state: given.outcome,
    answer: given.answer,
    answeredBy: callerName(actor.caller),
    answeredAt: actor.at,
    voided: given.void === true,
  };
  await tx.q
    .update(t)
    .set(fields)
    .where(and(eq(t.id, before.id), eq(t.state, 'open')));
  await auditAnswer(tx, actor, 'dispute.answer', before, { ...before, ...fields });
  const { id: subjectId, siteId } = before;
  await recordEvent(tx, { type: 'dispute.answered', subjectId, siteId, at: actor.at });
}

/** @returns the visit as it is now; null: it is gone */
async function resolveFlag(tx: Tx, actor: Actor, visitId: string): Promise<VisitRow | null> {
  const before = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (before === null) return null;
  const site = await siteOfVisit(tx.q, before);
  const action = { action: 'visit.dispute-answer', historyText: 'dispute answered', reason: undefined };
  const after = await editRow(tx, actor, before, site, { reviewed: ['disputed'] }, action.historyText);
  await recordChange(tx, actor, { before, after }, action);
  if (after.plate !== null) await issueToOwner(tx, after.plate, actor.at, visitId);
  return after;
}

async function mailAnswer(
  tx: Tx,
  actor: Actor,
  { before, visit, answer }: { before: DisputeRow; visit: VisitRow | null; answer: DisputeAnswer },
): Promise<void> {
  const { email, language } = before;
  if (email === null) return;
  const about = visit === null ? await invoiceOf(tx.q, before) : { stay: await stayFacts(tx.q, visit) };
  const mail = answerMail({ email, language }, about, answer);
  await queueMail(tx, visit === null ? mail : { ...mail, visitId: visit.id }, actor.at);
}

async function invoiceOf(q: Queries, { invoiceId }: DisputeRow): Promise<{ invoiceNumber: number | null }> {
  const invoice = invoiceId === null ? null : await findInvoice(q, invoiceId, ALL_ROWS);
  return { invoiceNumber: invoice?.number ?? null };
}

async function stayFacts(q: Queries, visit: VisitRow): Promise<StayFacts> {
  const { timeZone, currency } = await siteOfVisit(q, visit);
  const { plate, startedAt, endedAt, status, amountMinor } = visit;
  return {
    plate,
    siteName: await siteName(q, visit.siteId),
    timeZone,
    startedAt,
    endedAt,
    // Nothing is due of what is settled.
    amountMinor: status === 'completed' ? null : amountMinor,
    currency: visit.currency ?? currency,
  };
}
