import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { issueToOwner } from '../../money/invoices/issue-to-owner.ts';
import { auditOf } from '../../people/audit/audit.ts';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { type DisputeRow, disputeTable as t } from '../../records/disputes/dispute-table.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { editRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import { DISPUTE_ACTIONS } from './dispute-actions.ts';
import type { DisputeLinks } from './dispute-links.ts';
import { answerMail, queueDisputeMail } from './dispute-mail.ts';
import type { DisputeAnswer } from './dispute-view.ts';
import { seesDispute } from './find-dispute.ts';
import { type GiveRefusal, giveWithAnswer, type MoneyParts } from './give-with-answer.ts';

const auditAnswer = auditOf<DisputeRow>('dispute', ({ state, answer, answeredAt, given }) => ({
  state,
  answer,
  answeredAt,
  given,
}));

export interface AnswerParts extends MoneyParts {
  links: Pick<DisputeLinks, 'of' | 'prepare'>;
}

/** `send`: what leaves for a card or a terminal once the transaction is on the disk. */
export type Answered = { ok: true; send?: () => Promise<unknown> } | GiveRefusal;

/**
 * Answers a dispute as an operator: the flag is removed from the visit, what waited for the answer goes on, and the
 * person who contests gets the answer by mail. What the answer gives up or back is done with it, or neither is.
 */
export async function answerDispute(
  parts: AnswerParts,
  actor: Actor,
  id: string,
  answer: DisputeAnswer,
): Promise<Exclude<Answered, { ok: true }> | { ok: true }> {
  await parts.links.prepare();
  const answered = await parts.db.write((tx) => answerDisputeIn(tx, parts, actor, id, answer));
  if (!answered.ok) return answered;
  await answered.send?.();
  return { ok: true };
}

/** The same within a transaction that does more. */
export async function answerDisputeIn(
  tx: Tx,
  parts: AnswerParts,
  actor: Actor,
  id: string,
  answer: DisputeAnswer,
): Promise<Answered> {
  const before = await tx.q.select().from(t).where(eq(t.id, id)).get();
  if (before === undefined || !seesDispute(before, ownRows(actor.caller))) return NOT_FOUND;
  const why = DISPUTE_ACTIONS.answer.refuse(before);
  if (why !== null) return refusedInput(why);
  const gave = await giveWithAnswer(tx, parts, actor, before, answer);
  if (!gave.ok) return gave;
  const { outcome: state, answer: text } = answer;
  const answered = { ...before, state, answer: text, given: gave.given };
  const visit = await closeDispute(tx, actor, before, answered);
  const link = before.source === 'customer' ? null : await parts.links.of(id, before.language);
  const mail = await answerMail(tx.q, answered, visit, link);
  if (mail !== null) await queueDisputeMail(tx, mail, visit, actor.at);
  await recordEvent(tx, {
    type: 'dispute.answered',
    subjectId: id,
    siteId: before.siteId,
    at: actor.at,
  });
  return { ok: true, ...(gave.send && { send: gave.send }) };
}

/** The person who contests gives it up, by themselves or through the office: what is due stays due. */
export async function withdrawDispute(
  tx: Tx,
  actor: Actor,
  before: DisputeRow,
): Promise<{ ok: true } | Refused> {
  if (before.state !== 'open') return refusedInput(mistake('dispute-answered'));
  await closeDispute(tx, actor, before, { ...before, state: 'withdrawn' });
  const { id: subjectId, siteId } = before;
  await recordEvent(tx, { type: 'dispute.changed', subjectId, siteId, at: actor.at });
  return { ok: true };
}

/** @returns the visit as it is now; null: an invoice is contested, or it is gone */
async function closeDispute(
  tx: Tx,
  actor: Actor,
  before: DisputeRow,
  { state, answer, given }: Pick<DisputeRow, 'state' | 'answer' | 'given'>,
): Promise<VisitRow | null> {
  const fields = { state, answer, given, answeredBy: callerName(actor.caller), answeredAt: actor.at };
  await tx.q
    .update(t)
    .set(fields)
    .where(and(eq(t.id, before.id), eq(t.state, 'open')));
  const action = state === 'withdrawn' ? 'dispute.withdraw' : 'dispute.answer';
  await auditAnswer(tx, actor, action, before, { ...before, ...fields });
  return before.visitId === null ? null : await resolveFlag(tx, actor, before.visitId);
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
