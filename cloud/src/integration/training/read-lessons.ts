import type { Queries } from '../../platform/db/db.ts';
import { LESSONS, type LessonRun } from '../../platform/trainer.ts';
import { type LessonFacts, lessonSteps, stepsOf } from './lesson-rule.ts';
import {
  actsSince,
  deviceOf,
  hasChargeback,
  invoiceOf,
  isDaySigned,
  newestVisit,
  paymentsOf,
  refundsOf,
} from './lesson-store.ts';
import type { LessonView } from './training.ts';

type VisitRow = NonNullable<Awaited<ReturnType<typeof newestVisit>>>;
type PaymentRow = Awaited<ReturnType<typeof paymentsOf>>[number];

/** How far a learner is with each lesson. @param by the learner, as the audit log has it */
export async function readLessons(q: Queries, runs: readonly LessonRun[], by: string): Promise<LessonView[]> {
  const views: LessonView[] = [];
  for (const lesson of LESSONS) {
    const run = runs.find((one) => one.lesson === lesson);
    views.push(run === undefined ? notBegun(lesson) : await readLesson(q, run, by));
  }
  return views;
}

function notBegun(lesson: LessonView['lesson']): LessonView {
  return {
    lesson,
    startedOn: null,
    steps: stepsOf(lesson),
    done: false,
    siteId: null,
    plate: null,
    readAs: null,
    otherPlate: null,
    device: null,
    visitId: null,
    invoiceId: null,
    paymentId: null,
  };
}

async function readLesson(q: Queries, run: LessonRun, by: string): Promise<LessonView> {
  const { siteId, plate, readAs, otherPlate, device } = run;
  const visit = await newestVisit(
    q,
    [plate, readAs].filter((one) => one !== null),
  );
  const otherVisit = otherPlate === null ? null : await newestVisit(q, [otherPlate]);
  const invoice = visit && (await invoiceOf(q, visit.id));
  const payments = visit === null ? [] : await paymentsOf(q, visit.id);
  const refunds = await refundsOf(
    q,
    payments.map(({ id }) => id),
  );
  const [payment] = otherVisit === null ? [] : await paymentsOf(q, otherVisit.id);
  const facts: LessonFacts = {
    run,
    visit: visit && shownVisit(visit),
    otherVisit: otherVisit && shownVisit(otherVisit),
    device: device && (await deviceOf(q, siteId, device)),
    invoice,
    moneyBack: refunds.some(({ state }) => state === 'refunded')
      ? 'given'
      : refunds.length > 0
        ? 'ordered'
        : 'none',
    chargeback: payment === undefined ? null : await chargebackOf(q, payment),
    daySigned: await isDaySigned(q, siteId, run.startedOn),
    acts: await actsSince(q, by, run.startedOn),
  };
  const steps = lessonSteps(facts);
  return {
    lesson: run.lesson,
    startedOn: run.startedOn,
    steps,
    done: steps.every(({ done }) => done),
    siteId,
    plate,
    readAs,
    otherPlate,
    device,
    visitId: visit?.id ?? null,
    invoiceId: invoice?.id ?? null,
    paymentId: payment?.id ?? null,
  };
}

function shownVisit({ id, plate, status, paymentStatus, endedAt }: VisitRow) {
  return {
    id,
    plate,
    needsPayment: status === 'need-payment',
    isSettled: paymentStatus !== null,
    hasLeft: endedAt !== null,
  };
}

async function chargebackOf(q: Queries, { id, chargedBack }: PaymentRow): Promise<LessonFacts['chargeback']> {
  if (chargedBack) return 'waits';
  return (await hasChargeback(q, id)) ? 'answered' : null;
}
