import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type DeviceState, isAlarm } from '@hlid/protocol/records/device';
import type { Lesson, LessonRun } from '../../platform/trainer.ts';

/** An act of the learner since the lesson began, from the audit log. */
export interface LearnerAct {
  action: string;
  subjectId: string;
  /** The record after the act; read only where a step needs it. */
  after: unknown;
}

interface LessonVisit {
  id: string;
  plate: string | null;
  /** A driver waits for it to be settled. */
  needsPayment: boolean;
  isSettled: boolean;
  hasLeft: boolean;
}

/** The facts about the situation of a lesson. */
export interface LessonFacts {
  run: LessonRun;
  /** The visit of the lesson's car; null: it has not come yet. */
  visit: LessonVisit | null;
  /** The visit of the second car. */
  otherVisit: LessonVisit | null;
  /** Null: the site has not reported it. */
  device: { state: DeviceState; since: UtcTime } | null;
  /** The invoice of the visit; null: there is none. */
  invoice: { id: string; isPaid: boolean } | null;
  /** The card payment of the visit, and what came back of it. */
  moneyBack: 'none' | 'ordered' | 'given';
  /** The chargeback of the second car's payment: it waits for a person, or was answered; null: there is none. */
  chargeback: 'waits' | 'answered' | null;
  /** The close of the day of the lesson is signed. */
  daySigned: boolean;
  acts: readonly LearnerAct[];
}

interface StepRule {
  step: string;
  /** The learner has to do it. Others happen by themselves, and a later step shows that they did. */
  isAct: boolean;
  isDone: (facts: LessonFacts) => boolean;
}

/** A step that happens by itself, or at the site. */
const happens = (step: string, isDone: StepRule['isDone']): StepRule => ({ step, isAct: false, isDone });
/** A step that the learner does. */
const act = (step: string, isDone: StepRule['isDone']): StepRule => ({ step, isAct: true, isDone });

const hasCome = ({ visit }: LessonFacts) => visit !== null;
const hasLeft = ({ visit }: LessonFacts) => visit?.hasLeft ?? false;

const RULES: Readonly<Record<Lesson, readonly StepRule[]>> = {
  'first-car': [
    happens('arrived', hasCome),
    act('found', ({ run, acts }) =>
      acts.some(
        ({ action, subjectId }) => action === 'plate.look-up' && (run.plate?.includes(subjectId) ?? false),
      ),
    ),
    act('permit', ({ run, acts }) =>
      acts.some(({ action, after }) => action === 'whitelist.create' && field(after, 'plate') === run.plate),
    ),
    happens('left', hasLeft),
  ],
  'misread-plate': [
    happens('misread', hasCome),
    act('corrected', ({ run, visit }) => visit !== null && visit.plate === run.plate),
    happens('left', hasLeft),
  ],
  'no-money': [
    happens('at-exit', ({ visit }) => visit?.needsPayment ?? false),
    act('decided', ({ visit, acts }) => visit !== null && acts.some((one) => decides(one, visit.id))),
    happens('left', hasLeft),
  ],
  'device-down': [
    happens('down', ({ device, run }) => device !== null && (isAlarm(device.state) || isNewer(device, run))),
    act('tried', ({ run, acts }) =>
      acts.some(({ action, after }) => action === 'try-again' && field(after, 'deviceId') === run.device?.id),
    ),
    happens('works', ({ device, run }) => device?.state === 'ok' && isNewer(device, run)),
  ],
  refund: [
    happens('paid', (facts) => (facts.invoice?.isPaid ?? false) && hasLeft(facts)),
    act('refunded', ({ invoice, acts }) =>
      acts.some(
        ({ action, subjectId }) =>
          invoice !== null &&
          subjectId === invoice.id &&
          (action === 'invoice.refund' || action === 'invoice.credit' || action === 'payment.refund'),
      ),
    ),
    happens('money-back', ({ moneyBack }) => moneyBack === 'given'),
  ],
  'closing-day': [
    happens('prepared', ({ visit, chargeback }) => (visit?.hasLeft ?? false) && chargeback !== null),
    act('unpaid-settled', ({ visit }) => visit?.isSettled ?? false),
    act('doubt-answered', ({ chargeback }) => chargeback === 'answered'),
    act('day-signed', ({ daySigned }) => daySigned),
  ],
};

/** How the learner may let a driver out who cannot pay: opens for this car with what becomes of its fee, or settles. */
function decides({ action, subjectId, after }: LearnerAct, visitId: string): boolean {
  if (action === 'gate.open') return field(after, 'visitId') === visitId;
  return action === 'visit.update' && subjectId === visitId;
}

/** Its state has changed since the lesson began. */
function isNewer({ since }: { since: UtcTime }, { startedOn }: LessonRun): boolean {
  return since > startedOn;
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Object.getOwnPropertyDescriptor(of, name)?.value : undefined;
}

export interface LessonStepOutcome {
  step: string;
  isAct: boolean;
  done: boolean;
}

/** The steps of a lesson that has not begun. */
export function stepsOf(lesson: Lesson): LessonStepOutcome[] {
  return RULES[lesson].map(({ step, isAct }) => ({ step, isAct, done: false }));
}

/** How far a lesson is. */
export function lessonSteps(facts: LessonFacts): LessonStepOutcome[] {
  const rules = RULES[facts.run.lesson];
  const done = rules.map(({ isDone }) => isDone(facts));
  return rules.map(({ step, isAct }, place) => ({
    step,
    isAct,
    done: isAct ? (done[place] ?? false) : done.slice(place).some(Boolean),
  }));
}
