import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { highestCharge, REMINDER_STEPS } from '@hlid/protocol/records/collection-law';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chargeOf,
  gentlestTerms,
  nextReminder,
  type ReminderFacts,
  type ReminderTerms,
} from './next-reminder.ts';

const DUE = '2026-11-01';
const TERMS: ReminderTerms = {
  isOn: true,
  fromDay: '2026-01-01',
  warningDays: 7,
  warningCharge: 950,
  letters: 3,
  letterDays: 10,
  letterCharge: 5900,
};
const FACTS: ReminderFacts = {
  payBy: DUE,
  openMinor: 12_000,
  begun: [],
  isContested: false,
  restartedOn: [],
  isPaymentUnderWay: false,
  isCollectedElsewhere: false,
  hasBankCharge: false,
};

/** The table of the regulation, written out once more. */
describe.each([
  [1, 1_300],
  [2_999, 1_300],
  [3_000, 2_100],
  [10_499, 2_100],
  [10_500, 3_700],
  [84_999, 3_700],
  [85_000, 5_900],
  [5_000_000, 5_900],
])('a principal of %i', (principal, letter) => {
  it(`lets a warning cost 950 and each letter ${letter}, before VAT`, () => {
    expect(REMINDER_STEPS.map((step) => highestCharge(step, principal, DUE))).toEqual([
      950,
      letter,
      letter,
      letter,
    ]);
  });
});

it('nothing is charged before the law had a table, nor of nothing', () => {
  expect(highestCharge('warning', 10_000, '2010-02-18')).toBe(0);
  expect(highestCharge('letter', 0, DUE)).toBe(0);
});

it('the warning comes first, and each letter ten whole days after the delivery of the step before', () => {
  expect(nextReminder(TERMS, FACTS)).toEqual({
    kind: 'step',
    step: 'warning',
    on: '2026-11-08',
    charge: 950,
  });
  const warned = [{ step: 'warning' as const, deliveredOn: '2026-11-08' }];
  expect(nextReminder(TERMS, { ...FACTS, begun: warned })).toEqual({
    kind: 'step',
    step: 'letter',
    on: '2026-11-19',
    charge: 3_700,
  });
});

it('a restart of the time moves the next step', () => {
  const facts = { ...FACTS, restartedOn: ['2026-11-20', '2026-11-12'] };
  expect(nextReminder(TERMS, facts)).toMatchObject({ on: '2026-11-27' });
});

const day = fc.integer({ min: 0, max: 200 }).map((n) => dayAfter(DUE, n));
const terms = fc.record({
  isOn: fc.constantFrom(true, true, true, false),
  fromDay: fc.constantFrom('2026-01-01', '2026-12-01'),
  warningDays: fc.integer({ min: -3, max: 60 }),
  warningCharge: fc.integer({ min: 0, max: 3_000 }),
  letters: fc.integer({ min: 0, max: 9 }),
  letterDays: fc.integer({ min: -3, max: 60 }),
  letterCharge: fc.integer({ min: 0, max: 9_000 }),
});
const facts = fc.record({
  payBy: day,
  openMinor: fc.oneof(
    fc.integer({ min: -5, max: 90_000 }),
    fc.constantFrom(2_999, 3_000, 10_499, 10_500, 85_000),
  ),
  begun: fc
    .array(fc.option(day, { freq: 6 }), { maxLength: REMINDER_STEPS.length })
    .map((days) =>
      days.map((deliveredOn, n) => ({ step: REMINDER_STEPS[n] ?? ('warning' as const), deliveredOn })),
    ),
  isContested: fc.constantFrom(false, false, false, true),
  restartedOn: fc.array(day, { maxLength: 3 }),
  isPaymentUnderWay: fc.constantFrom(false, false, false, true),
  isCollectedElsewhere: fc.constantFrom(false, false, false, true),
  hasBankCharge: fc.boolean(),
});

it('whatever the terms say, no step is before its time, above the law, or of what is paid or contested', () => {
  let steps = 0;
  fc.assert(
    fc.property(terms, facts, (someTerms, someFacts) => {
      const next = nextReminder(someTerms, someFacts);
      if (next.kind === 'none') return;
      steps++;
      const { begun, openMinor, payBy, restartedOn, isContested, isCollectedElsewhere } = someFacts;
      expect(someTerms.isOn).toBe(true);
      expect(isContested || isCollectedElsewhere || someFacts.isPaymentUnderWay).toBe(false);
      expect(openMinor).toBeGreaterThan(0);
      expect(begun.map(({ step }) => step)).not.toContain(next.step);
      expect(next.step).toBe(REMINDER_STEPS[begun.length]);
      const last = begun.at(-1);
      if (last === undefined) expect(next.on > payBy).toBe(true);
      else expect(next.on >= dayAfter(last.deliveredOn ?? '9999-01-01', 11)).toBe(true);
      for (const restart of restartedOn) expect(next.on > restart).toBe(true);
      const most = next.step === 'warning' ? someTerms.warningCharge : someTerms.letterCharge;
      expect(next.charge).toBeLessThanOrEqual(Math.min(most, highestCharge(next.step, openMinor, next.on)));
      if (next.step === 'warning' && someFacts.hasBankCharge) expect(next.charge).toBe(0);
    }),
    { numRuns: 5_000 },
  );
  expect(steps).toBeGreaterThan(500);
});

it('less is charged as more is paid', () => {
  const charged = (openMinor: number) => chargeOf(TERMS, { openMinor, hasBankCharge: false }, 'letter', DUE);
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(200_000), (one, other) => {
      expect(charged(Math.min(one, other))).toBeLessThanOrEqual(charged(Math.max(one, other)));
    }),
  );
});

it('an invoice of several sites has the gentlest of their terms, and none where one of them has none', () => {
  fc.assert(
    fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), facts, (several, someFacts) => {
      const together = nextReminder(gentlestTerms(several), someFacts);
      if (together.kind === 'none') return;
      for (const one of several) {
        const alone = nextReminder(one, someFacts);
        expect(alone).toMatchObject({ kind: 'step', step: together.step });
        if (alone.kind === 'step')
          expect(together.on >= alone.on && together.charge <= alone.charge).toBe(true);
      }
    }),
  );
  expect(gentlestTerms([TERMS, null])).toBeNull();
  expect(gentlestTerms([])).toBeNull();
});
