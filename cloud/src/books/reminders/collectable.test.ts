import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAYS_AFTER_WARNING, REMINDER_STEPS } from '@hlid/protocol/records/collection-law';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CollectionFacts, collectable } from './collectable.ts';
import { collectedChange } from './collected-change.ts';
import type { ReminderTerms } from './next-reminder.ts';

const TERMS: ReminderTerms = {
  isOn: true,
  fromDay: '2026-01-01',
  warningDays: 7,
  warningCharge: 950,
  letters: 1,
  letterDays: 14,
  letterCharge: 5900,
};
const READY: CollectionFacts = {
  openMinor: 12_000,
  begun: [
    { step: 'warning', deliveredOn: '2026-11-01' },
    { step: 'letter', deliveredOn: '2026-11-20' },
  ],
  isContested: false,
  restartedOn: [],
  isPaymentUnderWay: false,
  isCollectedElsewhere: false,
  isAtBank: false,
  isHandedOver: false,
  chargesDueOn: [],
  debtorId: '1201603389',
};
const [warning] = READY.begun;
if (warning === undefined) throw new Error('There is one.');

it('may be handed over after the last letter and its days', () => {
  expect(collectable(TERMS, READY)).toEqual({ kind: 'from', on: '2026-12-05' });
});

it('by the law alone where its site reminds no more', () => {
  const warned = { ...READY, begun: [warning] };
  expect(collectable(null, warned)).toEqual({ kind: 'from', on: '2026-11-12' });
  expect(collectable({ ...TERMS, isOn: false }, warned)).toEqual({ kind: 'from', on: '2026-11-16' });
});

it('waits for its charges, and begins again after an answer', () => {
  expect(collectable(TERMS, { ...READY, chargesDueOn: ['2026-12-20'] })).toMatchObject({ on: '2026-12-21' });
  expect(collectable(TERMS, { ...READY, restartedOn: ['2026-11-25'] })).toMatchObject({ on: '2026-12-10' });
});

it.each([
  ['handed-over', { isHandedOver: true }],
  ['paid', { openMinor: 0 }],
  ['payment-under-way', { isPaymentUnderWay: true }],
  ['contested', { isContested: true }],
  ['at-bank', { isAtBank: true }],
  ['at-bank', { isCollectedElsewhere: true }],
  ['no-notice', { begun: [] }],
  ['undelivered', { begun: [warning, { step: 'letter', deliveredOn: null }] }],
  ['steps-left', { begun: [warning] }],
  ['no-debtor', { debtorId: null }],
] as const)('not: %s', (why, facts) => {
  expect(collectable(TERMS, { ...READY, ...facts })).toEqual({ kind: 'no', why });
});

const dayArbitrary = fc.integer({ min: 0, max: 90 }).map((days) => dayAfter('2026-09-01', days));
const factsArbitrary: fc.Arbitrary<CollectionFacts> = fc.record({
  openMinor: fc.integer({ min: -500, max: 5000 }),
  begun: fc
    .array(fc.option(dayArbitrary, { freq: 8 }), { maxLength: REMINDER_STEPS.length })
    .map((days) => days.map((deliveredOn, n) => ({ step: REMINDER_STEPS[n] ?? 'warning', deliveredOn }))),
  isContested: fc.boolean(),
  restartedOn: fc.array(dayArbitrary, { maxLength: 2 }),
  isPaymentUnderWay: fc.boolean(),
  isCollectedElsewhere: fc.boolean(),
  isAtBank: fc.boolean(),
  isHandedOver: fc.boolean(),
  chargesDueOn: fc.array(dayArbitrary, { maxLength: 2 }),
  debtorId: fc.constantFrom('1201603389', null),
});

it('nobody is handed over who owes nothing, contests it, was not warned, or before the days are gone', () => {
  let handed = 0;
  const letters = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(factsArbitrary, letters, fc.boolean(), (facts, count, isOn) => {
      const decision = collectable({ ...TERMS, letters: count, isOn }, facts);
      if (decision.kind === 'no') return;
      handed++;
      expect(facts.openMinor).toBeGreaterThan(0);
      const { isContested, isPaymentUnderWay, isAtBank, isHandedOver, isCollectedElsewhere } = facts;
      expect([isContested, isPaymentUnderWay, isAtBank, isHandedOver, isCollectedElsewhere]).toEqual(
        Array(5).fill(false),
      );
      expect(facts.begun.length).toBeGreaterThan(isOn ? count : 0);
      for (const day of [...facts.begun.map((one) => one.deliveredOn), ...facts.restartedOn]) {
        expect(decision.on > dayAfter(day ?? '9999-01-01', DAYS_AFTER_WARNING)).toBe(true);
      }
      for (const day of facts.chargesDueOn) expect(decision.on > day).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(handed).toBeGreaterThan(5);
});

it('what was handed over is open, paid and credited together', () => {
  const amount = fc.integer({ min: 0, max: 9000 });
  fc.assert(
    fc.property(amount, amount, amount, amount, (handedMinor, before, openMinor, creditedMinor) => {
      const now = { openMinor, creditedMinor, contestedOn: null, answeredOn: null };
      const change = collectedChange({ handedMinor, creditedMinor: before }, now);
      if (change === null) expect([openMinor, creditedMinor]).toEqual([handedMinor, before]);
      else expect(change.openMinor + change.paidMinor + change.creditedMinor).toBe(handedMinor);
    }),
  );
  const same = { openMinor: 100, creditedMinor: 0, contestedOn: null, answeredOn: null };
  expect(collectedChange({ handedMinor: 100, creditedMinor: 0 }, same)).toBeNull();
  const contested = { ...same, contestedOn: '2026-11-29' };
  expect(collectedChange({ handedMinor: 100, creditedMinor: 0 }, contested)).toMatchObject({ paidMinor: 0 });
});
