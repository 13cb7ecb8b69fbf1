import { describe, expect, it } from 'vitest';
import type { Lesson, LessonRun } from '../../platform/trainer.ts';
import { LESSONS } from '../../platform/trainer.ts';
import { type LessonFacts, lessonSteps, stepsOf } from './lesson-rule.ts';

const STARTED = '2026-11-28T10:00:00.000Z';
const LATER = '2026-11-28T10:05:00.000Z';
const EARLIER = '2026-11-28T09:00:00.000Z';
const PLATE = 'ABX12';
const CAR = { id: 'v1', plate: PLATE, needsPayment: false, isSettled: false, hasLeft: false };

function facts(lesson: Lesson, known: Partial<LessonFacts> = {}, run: Partial<LessonRun> = {}): LessonFacts {
  return {
    run: {
      lesson,
      startedOn: STARTED,
      siteId: 's1',
      plate: PLATE,
      readAs: null,
      otherPlate: null,
      device: null,
      ...run,
    },
    visit: null,
    otherVisit: null,
    device: null,
    invoice: null,
    moneyBack: 'none',
    chargeback: null,
    daySigned: false,
    acts: [],
    ...known,
  };
}

const doneOf = (given: LessonFacts) => lessonSteps(given).flatMap(({ step, done }) => (done ? [step] : []));

describe('a lesson', () => {
  it.each(LESSONS)('%s has nothing done at its beginning, and says what the learner does', (lesson) => {
    expect(doneOf(facts(lesson))).toEqual([]);
    expect(stepsOf(lesson)).toEqual(lessonSteps(facts(lesson)));
    expect(stepsOf(lesson).some(({ isAct }) => isAct)).toBe(true);
  });

  it('first car: comes, is found, gets a permit, leaves', () => {
    const found = { action: 'plate.look-up', subjectId: 'ABX', after: null };
    const permit = { action: 'whitelist.create', subjectId: 'w1', after: { plate: PLATE } };
    const known = (more: Partial<LessonFacts>) => doneOf(facts('first-car', { visit: CAR, ...more }));
    expect(known({})).toEqual(['arrived']);
    expect(known({ acts: [{ ...found, subjectId: 'MKJ45' }] })).toEqual(['arrived']);
    expect(known({ acts: [found] })).toEqual(['arrived', 'found']);
    expect(known({ acts: [{ ...permit, after: { plate: 'MKJ45' } }] })).toEqual(['arrived']);
    expect(known({ acts: [permit, found], visit: { ...CAR, hasLeft: true } })).toEqual([
      'arrived',
      'found',
      'permit',
      'left',
    ]);
  });

  it('a car that has left has come, but nobody has found it', () => {
    expect(doneOf(facts('first-car', { visit: { ...CAR, hasLeft: true } }))).toEqual(['arrived', 'left']);
  });

  it('misread plate: is corrected when the visit has the real plate', () => {
    const read = (plate: string) =>
      doneOf(facts('misread-plate', { visit: { ...CAR, plate } }, { readAs: 'ABX1' }));
    expect(read('ABX1')).toEqual(['misread']);
    expect(read('ABX13')).toEqual(['misread']);
    expect(read(PLATE)).toEqual(['misread', 'corrected']);
  });

  it('driver without money: the learner opens for this car, or settles its visit', () => {
    const waiting = { ...CAR, needsPayment: true };
    const acted = (action: string, subjectId: string, after: unknown) =>
      doneOf(facts('no-money', { visit: waiting, acts: [{ action, subjectId, after }] }));
    expect(doneOf(facts('no-money', { visit: CAR }))).toEqual([]);
    expect(acted('gate.open', 's1', { laneId: 'out-1' })).toEqual(['at-exit']);
    expect(acted('gate.open', 's1', { visitId: 'v1', settlement: 'waived' })).toEqual(['at-exit', 'decided']);
    expect(acted('visit.update', 'v1', {})).toEqual(['at-exit', 'decided']);
    expect(acted('visit.update', 'v2', {})).toEqual(['at-exit']);
  });

  it('device down: has stopped, was tried again, and works since then', () => {
    const device = { kind: 'terminal', id: 'pos-1' } as const;
    const tried = { action: 'try-again', subjectId: 's1', after: { deviceId: 'pos-1' } };
    const known = (more: Partial<LessonFacts>) => doneOf(facts('device-down', more, { device }));
    expect(known({ device: { state: 'ok', since: EARLIER } })).toEqual([]);
    expect(known({ device: { state: 'unreachable', since: LATER } })).toEqual(['down']);
    expect(known({ device: { state: 'unreachable', since: LATER }, acts: [tried] })).toEqual([
      'down',
      'tried',
    ]);
    expect(known({ device: { state: 'ok', since: LATER }, acts: [tried] })).toEqual([
      'down',
      'tried',
      'works',
    ]);
  });

  it('refund: of the invoice of this car, until the money is back', () => {
    const invoice = { id: 'i1', isPaid: true };
    const refunded = { action: 'invoice.refund', subjectId: 'i1', after: null };
    const known = (more: Partial<LessonFacts>) =>
      doneOf(facts('refund', { visit: { ...CAR, hasLeft: true }, invoice, ...more }));
    expect(known({ invoice: { id: 'i1', isPaid: false } })).toEqual([]);
    expect(known({ visit: CAR })).toEqual([]);
    expect(known({})).toEqual(['paid']);
    expect(known({ acts: [{ ...refunded, subjectId: 'i2' }] })).toEqual(['paid']);
    expect(known({ acts: [refunded], moneyBack: 'ordered' })).toEqual(['paid', 'refunded']);
    expect(known({ acts: [refunded], moneyBack: 'given' })).toEqual(['paid', 'refunded', 'money-back']);
  });

  it('closing a day: nothing unpaid, no payment for a person, and a signature', () => {
    const left = { ...CAR, hasLeft: true };
    const known = (more: Partial<LessonFacts>) => doneOf(facts('closing-day', { visit: left, ...more }));
    expect(known({})).toEqual([]);
    expect(known({ visit: CAR, chargeback: 'waits' })).toEqual([]);
    expect(known({ chargeback: 'waits' })).toEqual(['prepared']);
    const settled = { ...left, isSettled: true };
    expect(known({ chargeback: 'waits', visit: settled })).toEqual(['prepared', 'unpaid-settled']);
    const answered = { chargeback: 'answered', visit: settled } as const;
    expect(known(answered)).toEqual(['prepared', 'unpaid-settled', 'doubt-answered']);
    expect(known({ ...answered, daySigned: true })).toEqual([
      'prepared',
      'unpaid-settled',
      'doubt-answered',
      'day-signed',
    ]);
  });
});
