import type { Payment, PaymentState } from '@hlid/protocol/payment';
import type { LastResult, ReverseOutcome, TerminalTransaction } from '../terminal/terminal.ts';
import type { PaymentUpdate } from './payment-journal.ts';

/** Reasons why a payment is not wanted any more. */
export const DRIVER_GONE = 'driver-gone';
export const NOT_DUE = 'not-due-any-more';
/** The terminal approved another amount or currency than was ordered. */
export const MISMATCH = 'mismatch';
/** Reason why a payment needs a person: its terminal is not in the configuration any more. */
export const NO_SUCH_TERMINAL = 'no-such-terminal';

/** Reason why a settled payment needs a person: its reversal is ordered, and the terminal has not answered. */
export const REVERSAL_ORDERED = 'reversal-ordered';

/** What a person found out: the money was booked and stays, it was never booked, or it was given back by hand. */
export type PersonFinding = 'booked' | 'not-booked' | 'given-back';

/** What happens to a payment. */
export type PaymentInput =
  /** The order goes to the terminal next. `baseline`: what the terminal has booked last until then. */
  | { kind: 'send'; baseline: LastResult }
  /** The terminal asks whether its approval stands. */
  | { kind: 'approval'; transaction: TerminalTransaction; driverGone: boolean }
  /** The terminal has booked the payment. `refused`: why its approval was refused; it has booked it all the same. */
  | {
      kind: 'booked';
      transaction: TerminalTransaction;
      receipt?: readonly string[];
      refused?: string | null;
    }
  /** The terminal has booked nothing, or has taken back what it had approved. */
  | {
      kind: 'not-booked';
      state: 'declined' | 'cancelled';
      reason: string | null;
      receipt?: readonly string[];
    }
  /** The terminal has taken its booking back. */
  | { kind: 'reversed'; reason: string }
  /** Nobody knows the outcome: the terminal has to be asked. */
  | { kind: 'unknown'; reason: string }
  /** An operator has the terminal reverse a payment that is settled. */
  | { kind: 'reversal-order'; transaction: TerminalTransaction; by: string }
  /** The terminal has answered the order to reverse its booking. */
  | { kind: 'reverse-answer'; outcome: ReverseOutcome; reason: string }
  /** The terminal cannot say what the outcome is. */
  | { kind: 'needs-person'; reason: string }
  /** The terminal of a payment that needs a person can be asked again. */
  | { kind: 'terminal-back' }
  /** The outcome is unknown for longer than a driver can be kept waiting. */
  | { kind: 'waited-too-long' }
  | { kind: 'finding'; finding: PersonFinding; by: string };

/** The visit of a payment, as far as its payment needs to know. */
export interface PaidVisit {
  /** Whether it has the flag `payment-unknown`. */
  isFlagged: boolean;
  /** Whether the payment is still due: nothing was paid, waived or ended since it was ordered. */
  isDue(): boolean;
}

/** What is done about it: all in one transaction and in this order, but for `reverse`, which follows the commit. */
export type PaymentEffect =
  /** The journal records the next state. */
  | { kind: 'move'; to: PaymentState; update: PaymentUpdate }
  /** The journal records what else is known; the state stays. */
  | { kind: 'amend'; update: PaymentUpdate }
  /** The visit gets the flag `payment-unknown`, or loses it. */
  | { kind: 'flag'; raised: boolean }
  /** The visit is settled with the payment, or the settlement is taken back. */
  | { kind: 'settle' | 'refund' }
  /** The cars that wait at exits are decided on again. */
  | { kind: 'decide-again' }
  /** The approval does not stand. */
  | { kind: 'refuse'; reason: string }
  /** The terminal takes its booking back. */
  | { kind: 'reverse'; transaction: TerminalTransaction; reason: string };

/**
 * The state machine of a payment at a terminal: what an input does in the state that the payment has. The states that
 * it moves through are in the effects; an empty list leaves everything as it is.
 */
export function paymentTransition(payment: Payment, input: PaymentInput, visit: PaidVisit): PaymentEffect[] {
  const { state } = payment;
  switch (input.kind) {
    case 'send':
      return [move('sent', { baseline: input.baseline })];
    case 'approval':
      return approved(payment, input, visit);
    case 'booked':
      return booked(payment, input, visit);
    case 'not-booked': {
      const { reason, receipt = [] } = input;
      if (state === 'approved') return reversed(payment, reason ?? input.state, visit, receipt);
      return [move(input.state, { reason, receipt, needsPerson: false }), ...flag(visit, false)];
    }
    case 'reversed':
      return reversed(payment, input.reason, visit);
    case 'unknown':
      return [unknown(payment, { reason: input.reason })];
    case 'reversal-order':
      return reversalOrdered(payment, input);
    case 'reverse-answer':
      return reverseAnswered(payment, input, visit);
    case 'needs-person':
      return [unknown(payment, { reason: input.reason, needsPerson: true }), ...flag(visit, true)];
    case 'terminal-back':
      return [{ kind: 'amend', update: { needsPerson: false } }];
    case 'waited-too-long':
      return flag(visit, true);
    case 'finding':
      return found(payment, input, visit);
    default:
      return input satisfies never;
  }
}

type Of<Kind extends PaymentInput['kind']> = Extract<PaymentInput, { kind: Kind }>;

/** An approval may be repeated. Once it stands, it stands. */
function approved(
  payment: Payment,
  { transaction, driverGone }: Of<'approval'>,
  visit: PaidVisit,
): PaymentEffect[] {
  const stands = payment.state === 'approved';
  const reason = driverGone ? DRIVER_GONE : mismatch(payment, transaction);
  if (reason !== null) return [{ kind: 'refuse', reason }];
  if (stands) return [];
  if (!visit.isDue()) return [{ kind: 'refuse', reason: NOT_DUE }];
  return [move('approved', { booking: transaction })];
}

/** The money is here. If nobody wants the payment any more, the terminal takes it back. */
function booked(payment: Payment, input: Of<'booked'>, visit: PaidVisit): PaymentEffect[] {
  const { transaction, receipt = [], refused = null } = input;
  const reason =
    refused ??
    mismatch(payment, transaction) ??
    (payment.reason === DRIVER_GONE ? DRIVER_GONE : null) ??
    (visit.isDue() ? null : NOT_DUE);
  const update: PaymentUpdate = { booking: transaction, receipt, needsPerson: false, reason };
  const recorded: PaymentEffect =
    payment.state === 'approved' ? { kind: 'amend', update } : move('approved', update);
  if (reason !== null) return [recorded, { kind: 'reverse', transaction, reason }];
  return [recorded, ...settled(visit)];
}

function mismatch(payment: Payment, { amountMinor, currency }: TerminalTransaction): string | null {
  return amountMinor === payment.amountMinor && currency === payment.currency ? null : MISMATCH;
}

/** The flag goes first, so that a car that waits leaves by the settlement. */
function settled(visit: PaidVisit, update: PaymentUpdate = {}): PaymentEffect[] {
  return [...flag(visit, false), { kind: 'settle' }, move('settled', update), { kind: 'decide-again' }];
}

function reversed(
  { state }: Payment,
  reason: string,
  visit: PaidVisit,
  receipt: readonly string[] = [],
): PaymentEffect[] {
  const before: PaymentEffect[] =
    // Nothing was approved yet, as far as the journal knows.
    state === 'sent' ? [move('unknown')] : state === 'settled' ? [{ kind: 'refund' }] : [];
  return [...before, move('reversed', { reason, receipt, needsPerson: false }), ...flag(visit, false)];
}

function unknown({ state }: Payment, update: PaymentUpdate): PaymentEffect {
  return state === 'unknown' ? { kind: 'amend', update } : move('unknown', update);
}

/** The payment needs a person until the terminal has answered: nobody repeats the order after a restart. */
function reversalOrdered({ state }: Payment, { transaction, by }: Of<'reversal-order'>): PaymentEffect[] {
  if (state !== 'settled') return [];
  return [
    { kind: 'amend', update: { needsPerson: true, reason: REVERSAL_ORDERED } },
    { kind: 'reverse', transaction, reason: `person: ${by}` },
  ];
}

function reverseAnswered(
  payment: Payment,
  { outcome, reason }: Of<'reverse-answer'>,
  visit: PaidVisit,
): PaymentEffect[] {
  const { state } = payment;
  // A person was faster.
  if (state === 'reversed') return [];
  switch (outcome) {
    case 'reversed':
    case 'already-reversed':
      return reversed(payment, reason, visit);
    case 'not-possible':
      if (state === 'settled') return [stillSettled('reverse-not-possible')];
      // The money stays here, and a person has to give it back.
      return settled(visit, { needsPerson: true, reason: 'reverse-not-possible' });
    case 'unknown':
      return [state === 'settled' ? stillSettled('reverse-unknown') : unknown(payment, { reason })];
    default:
      return outcome satisfies never;
  }
}

/** As far as anybody knows the money is here. */
function stillSettled(reason: string): PaymentEffect {
  return { kind: 'amend', update: { needsPerson: true, reason } };
}

/** Only a payment that needs a person takes a finding, and one that is booked cannot be `not-booked`. */
function found(
  { state, needsPerson }: Payment,
  { finding, by }: Of<'finding'>,
  visit: PaidVisit,
): PaymentEffect[] {
  const isSettled = state === 'settled';
  if (!needsPerson || (isSettled && finding === 'not-booked')) return [];
  const reason = `person: ${by}`;
  const update: PaymentUpdate = { needsPerson: false, reason };
  if (finding === 'booked') {
    return isSettled
      ? [{ kind: 'amend', update }]
      : [move('approved', update), ...settled(visit, { reason })];
  }
  return [
    ...(isSettled ? [{ kind: 'refund' } as const] : []),
    move(finding === 'given-back' ? 'reversed' : 'cancelled', update),
    ...flag(visit, false),
  ];
}

/** Nobody is kept in while a payment is unknown: once the flag is raised, exits decide again. */
function flag({ isFlagged }: PaidVisit, raised: boolean): PaymentEffect[] {
  if (isFlagged === raised) return [];
  return raised ? [{ kind: 'flag', raised }, { kind: 'decide-again' }] : [{ kind: 'flag', raised }];
}

function move(to: PaymentState, update: PaymentUpdate = {}): PaymentEffect {
  return { kind: 'move', to, update };
}
