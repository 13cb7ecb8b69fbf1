import { mayBecome, type Payment, type PaymentState } from '@hlid/protocol/records/payment';
import type { PaidVisit, PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { describe, expect, it } from 'vitest';
import { testTransaction } from '../../test/terminal.ts';
import {
  type TerminalPaymentEffect,
  type TerminalPaymentInput,
  terminalPaymentTransition,
} from './terminal-payment-transitions.ts';

const AT = '2026-11-21T12:00:00.000Z';
const payment = (state: PaymentState, more: Partial<Payment> = {}): Payment => ({
  id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
  visitId: '01a1fc93-bdd6-7682-9b18-8dd0566e2421',
  terminalId: 'pos-1',
  state,
  amountMinor: 500,
  currency: 'ISK',
  units: 1,
  transaction: null,
  reason: null,
  needsPerson: false,
  receipt: [],
  language: 'is',
  createdAt: AT,
  changedAt: AT,
  ...more,
});
const DUE: PaidVisit = { isFlagged: false, isDue: () => true };
const PAID_ELSEWHERE: PaidVisit = { isFlagged: false, isDue: () => false };
const FLAGGED: PaidVisit = { isFlagged: true, isDue: () => true };

const transaction = testTransaction(500);
const APPROVAL: TerminalPaymentInput = { kind: 'approval', transaction, driverGone: false };
const BOOKED: TerminalPaymentInput = { kind: 'booked', transaction, receipt: ['KVITTUN'] };
const finding = (found: PersonFinding): TerminalPaymentInput => ({
  kind: 'finding',
  finding: found,
  by: 'technician',
});

/** An effect in a word or two: `sent`, `amend`, `flag on`, `refuse mismatch` … */
function word(effect: TerminalPaymentEffect): string {
  switch (effect.kind) {
    case 'move':
      return effect.to;
    case 'flag':
      return `flag ${effect.raised ? 'on' : 'off'}`;
    case 'refuse':
    case 'reverse':
      return `${effect.kind} ${effect.reason}`;
    default:
      return effect.kind;
  }
}
const effects = (from: Payment, input: TerminalPaymentInput, visit = DUE) =>
  terminalPaymentTransition(from, input, visit).map(word).join(', ');

describe('an approval', () => {
  it.each<[string, Payment, TerminalPaymentInput, PaidVisit, string]>([
    ['stands', payment('sent'), APPROVAL, DUE, 'approved'],
    ['stands already', payment('approved'), APPROVAL, PAID_ELSEWHERE, ''],
    ['of another amount', payment('sent', { amountMinor: 501 }), APPROVAL, DUE, 'refuse mismatch'],
    ['in another currency', payment('sent', { currency: 'EUR' }), APPROVAL, DUE, 'refuse mismatch'],
    ['of what is not due', payment('sent'), APPROVAL, PAID_ELSEWHERE, 'refuse not-due-any-more'],
    [
      'without its driver',
      payment('sent', { amountMinor: 501 }),
      { ...APPROVAL, driverGone: true },
      DUE,
      'refuse driver-gone',
    ],
  ])('that %s', (_what, from, input, visit, expected) => {
    expect(effects(from, input, visit)).toBe(expected);
  });
});

describe('a booking', () => {
  const SETTLED = 'settle, settled, decide-again';
  it.each<[string, Payment, TerminalPaymentInput, PaidVisit, string]>([
    ['that was approved before', payment('approved'), BOOKED, DUE, `amend, ${SETTLED}`],
    ['that was not', payment('sent'), BOOKED, DUE, `approved, ${SETTLED}`],
    ['of unknown outcome', payment('unknown'), BOOKED, FLAGGED, `approved, flag off, ${SETTLED}`],
    ['in another currency', payment('approved', { currency: 'EUR' }), BOOKED, DUE, 'amend, reverse mismatch'],
    ['of another amount', payment('sent', { amountMinor: 501 }), BOOKED, DUE, 'approved, reverse mismatch'],
    ['of what is not due', payment('approved'), BOOKED, PAID_ELSEWHERE, 'amend, reverse not-due-any-more'],
    [
      'without its driver',
      payment('unknown', { reason: 'driver-gone' }),
      BOOKED,
      DUE,
      'approved, reverse driver-gone',
    ],
    [
      'that was refused',
      payment('sent', { reason: 'driver-gone' }),
      { ...BOOKED, refused: 'not-written' },
      PAID_ELSEWHERE,
      'approved, reverse not-written',
    ],
  ])('%s', (_what, from, input, visit, expected) => {
    expect(effects(from, input, visit)).toBe(expected);
  });

  it('is in the journal with its receipt, and with why it is reversed', () => {
    const [kept] = terminalPaymentTransition(payment('sent', { needsPerson: true }), BOOKED, DUE);
    const known = { booking: transaction, receipt: ['KVITTUN'], needsPerson: false };
    expect(kept).toEqual({ kind: 'move', to: 'approved', update: { ...known, reason: null } });
    const [recorded, reverse] = terminalPaymentTransition(payment('approved'), BOOKED, PAID_ELSEWHERE);
    const reason = 'not-due-any-more';
    expect(recorded).toEqual({ kind: 'amend', update: { ...known, reason } });
    expect(reverse).toEqual({ kind: 'reverse', transaction, reason });
  });
});

describe('the end of a payment', () => {
  const declined: TerminalPaymentInput = {
    kind: 'not-booked',
    state: 'declined',
    reason: 'refused',
    receipt: ['NEI'],
  };
  it.each<[string, Payment, TerminalPaymentInput, PaidVisit, string]>([
    ['declined', payment('sent'), declined, DUE, 'declined'],
    ['known at last', payment('unknown'), declined, FLAGGED, 'declined, flag off'],
    ['declined after its approval', payment('approved'), declined, DUE, 'reversed'],
    ['reversed', payment('unknown'), { kind: 'reversed', reason: 'terminal' }, FLAGGED, 'reversed, flag off'],
    [
      'reversed at `sent`',
      payment('sent'),
      { kind: 'reversed', reason: 'terminal' },
      DUE,
      'unknown, reversed',
    ],
    [
      'reversed when it was settled',
      payment('settled'),
      { kind: 'reversed', reason: 'terminal' },
      DUE,
      'refund, reversed',
    ],
    ['unknown', payment('sent'), { kind: 'unknown', reason: 'no line' }, DUE, 'unknown'],
    ['unknown still', payment('unknown'), { kind: 'unknown', reason: 'no line' }, DUE, 'amend'],
  ])('%s', (_what, from, input, visit, expected) => {
    expect(effects(from, input, visit)).toBe(expected);
  });

  it('has its reason and its receipt, and needs no person', () => {
    const from = payment('unknown', { needsPerson: true });
    expect(terminalPaymentTransition(from, declined, DUE)).toEqual([
      { kind: 'move', to: 'declined', update: { reason: 'refused', receipt: ['NEI'], needsPerson: false } },
    ]);
    expect(terminalPaymentTransition(payment('approved'), { ...declined, reason: null }, DUE)).toEqual([
      { kind: 'move', to: 'reversed', update: { reason: 'declined', receipt: ['NEI'], needsPerson: false } },
    ]);
  });
});

describe('the terminal’s answer to a reversal', () => {
  it.each([
    ['reversed', 'approved', 'reversed'],
    ['already-reversed', 'approved', 'reversed'],
    ['not-possible', 'approved', 'settle, settled, decide-again'],
    ['unknown', 'approved', 'unknown'],
    ['unknown', 'unknown', 'amend'],
  ] as const)('%s of one that is %s', (outcome, state, expected) => {
    expect(effects(payment(state), { kind: 'reverse-answer', outcome, reason: 'mismatch' })).toBe(expected);
  });

  it('that it is not possible is for a person', () => {
    const input: TerminalPaymentInput = {
      kind: 'reverse-answer',
      outcome: 'not-possible',
      reason: 'mismatch',
    };
    expect(terminalPaymentTransition(payment('approved'), input, DUE)).toContainEqual({
      kind: 'move',
      to: 'settled',
      update: { needsPerson: true, reason: 'reverse-not-possible' },
    });
  });
});

describe('a visit whose payment is unknown', () => {
  const forPerson: TerminalPaymentInput = { kind: 'needs-person', reason: 'another-booking' };
  it.each<[string, Payment, TerminalPaymentInput, PaidVisit, string]>([
    ['for a person', payment('unknown'), forPerson, DUE, 'amend, flag on, decide-again'],
    ['for a person at once', payment('sent'), forPerson, FLAGGED, 'unknown'],
    ['for long', payment('unknown'), { kind: 'waited-too-long' }, DUE, 'flag on, decide-again'],
    ['for longer', payment('unknown'), { kind: 'waited-too-long' }, FLAGGED, ''],
    ['at a terminal that is back', payment('unknown'), { kind: 'terminal-back' }, FLAGGED, 'amend'],
  ])('%s', (_what, from, input, visit, expected) => {
    expect(effects(from, input, visit)).toBe(expected);
  });
});

it('a person looks at what the terminal cannot say, until it can be asked again', () => {
  const [doubt] = terminalPaymentTransition(
    payment('unknown'),
    { kind: 'needs-person', reason: 'another-booking' },
    DUE,
  );
  expect(doubt).toEqual({ kind: 'amend', update: { reason: 'another-booking', needsPerson: true } });
  const [back] = terminalPaymentTransition(payment('unknown'), { kind: 'terminal-back' }, FLAGGED);
  expect(back).toEqual({ kind: 'amend', update: { needsPerson: false } });
});

describe('what a person found', () => {
  it.each<[PersonFinding, PaymentState, string]>([
    ['booked', 'unknown', 'approved, flag off, settle, settled, decide-again'],
    ['booked', 'settled', 'amend'],
    ['not-booked', 'unknown', 'cancelled, flag off'],
    ['not-booked', 'settled', ''],
    ['given-back', 'unknown', 'reversed, flag off'],
    ['given-back', 'settled', 'refund, reversed, flag off'],
  ])('%s: of one that is %s', (found, state, expected) => {
    expect(effects(payment(state, { needsPerson: true }), finding(found), FLAGGED)).toBe(expected);
    expect(effects(payment(state), finding(found), FLAGGED)).toBe('');
    for (const effect of terminalPaymentTransition(
      payment(state, { needsPerson: true }),
      finding(found),
      FLAGGED,
    )) {
      if (!('update' in effect) || (effect.kind === 'move' && effect.to === 'settled')) continue;
      expect(effect.update).toEqual({ needsPerson: false, reason: 'person: technician' });
    }
  });
});

/** Each input in each state: only the steps of the journal's table, and money that is booked is settled or reversed. */
describe('in every state', () => {
  const states: PaymentState[] = ['sent', 'approved', 'unknown'];
  const inputs: TerminalPaymentInput[] = [
    APPROVAL,
    BOOKED,
    { kind: 'unknown', reason: 'no line' },
    { kind: 'needs-person', reason: 'another-booking' },
    { kind: 'not-booked', state: 'cancelled', reason: null },
    { kind: 'reversed', reason: 'terminal' },
  ];
  it.each(states.flatMap((state) => inputs.map((input) => [state, input.kind, input] as const)))(
    'a payment that is %s goes on only as the journal allows: %s',
    (state, _kind, input) => {
      for (const visit of [DUE, PAID_ELSEWHERE, FLAGGED]) {
        const steps = terminalPaymentTransition(payment(state), input, visit);
        let known = state;
        for (const step of steps) {
          if (step.kind !== 'move') continue;
          expect(mayBecome(known, step.to), `${known} to ${step.to}`).toBe(true);
          known = step.to;
        }
        const words = steps.map(word);
        expect(words.includes('settle')).toBe(known === 'settled');
        if (input.kind === 'booked') {
          expect(words.some((each) => each === 'settled' || each.startsWith('reverse '))).toBe(true);
        }
      }
    },
  );
});
