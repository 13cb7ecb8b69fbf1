import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import type { OpeningAnswer, OpeningStep } from '../../records/sites/opening-steps.ts';
import { dropAnswer, listAnswers, putAnswer, type StepAnswerRow, testVisitOf } from './opening-store.ts';
import { readOpening } from './read-opening.ts';

interface StepAnswer {
  answer: OpeningAnswer;
  visitId: string | null;
}

/**
 * Records what a person answers to a step of opening a site, where the step accepts it as the site is now.
 *
 * @param place.board what happens at its lanes now; null: the site is away, or does not answer
 */
export async function answerStep(
  db: Db,
  actor: Actor,
  { siteId, step, board }: { siteId: string; step: OpeningStep; board: SiteBoard | null },
  { answer, visitId }: StepAnswer,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const opening = await readOpening(tx.q, siteId, board, actor.at);
    if (opening === null) return NOT_FOUND;
    const accepts = opening.steps.find((one) => one.step === step)?.accepts ?? [];
    if (!accepts.includes(answer)) return refusedInput(mistake('opening-answer', 'answer', { step, answer }));
    const before = (await listAnswers(tx.q, siteId)).find((row) => row.step === step) ?? null;
    const refused = visitId === null ? null : await testCarMistake(tx, siteId, before, { answer, visitId });
    if (refused !== null) return refusedInput(refused);
    const row = { siteId, step, answer, visitId, by: callerName(actor.caller), at: actor.at };
    // The test goes on where the visit is found: it began before.
    const kept = visitId === null || before === null ? row : { ...row, at: before.at };
    await putAnswer(tx.q, kept);
    await auditAnswer(tx, actor, siteId, { before, after: kept });
    return { ok: true };
  });
}

/** Withdraws what a person has answered to a step. @returns whether there is such a site */
export async function withdrawAnswer(
  db: Db,
  actor: Actor,
  siteId: string,
  step: OpeningStep,
): Promise<boolean> {
  return await db.write(async (tx) => {
    if ((await findSite(tx.q, siteId)) === null) return false;
    const before = (await listAnswers(tx.q, siteId)).find((row) => row.step === step);
    if (before === undefined) return true;
    await dropAnswer(tx.q, siteId, step);
    await auditAnswer(tx, actor, siteId, { before, after: null });
    return true;
  });
}

/** The mistake of a test car: it must have come to this site after the test began. */
async function testCarMistake(
  { q }: Tx,
  siteId: string,
  before: StepAnswerRow | null,
  { answer, visitId }: { answer: OpeningAnswer; visitId: string },
) {
  if (answer !== 'begun' || before?.answer !== 'begun') return mistake('test-car-not-begun', 'visitId');
  const visit = await testVisitOf(q, visitId);
  if (visit === null || visit.siteId !== siteId) {
    return mistake('not-found', 'visitId', { what: 'visit' });
  }
  return visit.startedOn < before.at ? mistake('test-car-before', 'visitId') : null;
}

async function auditAnswer(
  tx: Tx,
  actor: Actor,
  siteId: string,
  { before, after }: { before: StepAnswerRow | null; after: StepAnswerRow | null },
): Promise<void> {
  await audit(tx, actor, {
    subject: 'site',
    subjectId: siteId,
    action: 'site.opening',
    before: before && shownOf(before),
    after: after && shownOf(after),
  });
}

function shownOf({ step, answer, visitId }: StepAnswerRow) {
  return { step, answer, visitId };
}
