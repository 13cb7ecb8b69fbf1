import type { Payment, PaymentState } from '../records/payment.ts';

/** The reasons to cancel or reverse a payment. */
export const DRIVER_GONE = 'driver-gone';
export const NOT_DUE = 'not-due-any-more';
/** The terminal or the provider approved another amount or currency than was ordered. */
export const MISMATCH = 'mismatch';
/** Reason why a settled payment needs a person: its reversal is ordered, and there is no answer yet. */
export const REVERSAL_ORDERED = 'reversal-ordered';
/** The same, and its site does not know the payment any more: a person finds out what became of it. */
export const REVERSAL_LOST = 'reversal-lost';
/** A report of the site contradicts the finding of a person, made while the site did not know the payment. */
export const FINDING_CONTRADICTED = 'finding-contradicted';

/** It was booked after it counted as not booked: the booking goes back. */
export const BOOKED_LATE = 'booked-late';
const REVERSE_NOT_POSSIBLE = 'reverse-not-possible';
/** Money may have gone back: it counts as given until a person has found it out. */
export const REVERSE_UNKNOWN = 'reverse-unknown';
/** Money that had gone back to the card came back from there. */
export const REFUND_FAILED = 'refund-failed';

/**
 * The finding of a person: the money was booked and stays, it was never booked, or it was given back by hand.
 */
export type PersonFinding = 'booked' | 'not-booked' | 'given-back';

/**
 * The answer to the order to give a booking back. `not-begun`: the order certainly did not arrive, or was refused for now, and
 * another try gives nothing back twice. `unknown`: it may have been carried out.
 */
export type ReverseOutcome = 'reversed' | 'already-reversed' | 'not-possible' | 'not-begun' | 'unknown';

/**
 * Whether money of a settled payment may have gone back: the order may have arrived, and there is no answer.
 * The one rule of terminals and providers: it counts as given, waits for an answer or a person, and no second
 * order goes out.
 */
export function mayBeRefunded({
  state,
  needsPerson,
  reason,
}: Pick<MovingPayment, 'state' | 'needsPerson' | 'reason'>): boolean {
  if (state !== 'settled' || !needsPerson) return false;
  return reason === REVERSAL_ORDERED || reason === REVERSE_UNKNOWN || reason === REVERSAL_LOST;
}

/** A payment that a terminal or a provider has booked. */
export interface Booking {
  amountMinor: number;
  currency: string;
}

/**
 * The part of a booking beyond the amount due: a tip, where the site takes them. Null: it is another amount
 * or currency. A tip is at most as much as the amount, since more is a mistake of the keys.
 */
export function tipOf(
  { amountMinor, currency }: Booking,
  booking: Booking,
  takesTips: boolean,
): number | null {
  if (booking.currency !== currency) return null;
  const tipMinor = booking.amountMinor - amountMinor;
  if (tipMinor === 0) return 0;
  return takesTips && tipMinor > 0 && tipMinor <= amountMinor ? tipMinor : null;
}

/** The facts that are added to a payment as it proceeds. */
export interface PaymentUpdate<Booked extends Booking = Booking> {
  reason?: string | null;
  needsPerson?: boolean;
  receipt?: readonly string[];
  booking?: Booked;
}

/** A payment as far as the rules need to know it. */
export type MovingPayment = Pick<Payment, 'state' | 'reason' | 'needsPerson' | 'amountMinor' | 'currency'>;

/** The inputs of a payment, at a terminal or at a provider. */
export type PaymentInput<Booked extends Booking> =
  /** It is booked. `refused`: why its approval was refused; it is booked all the same. */
  | { kind: 'booked'; transaction: Booked; receipt?: readonly string[]; refused?: string | null }
  /** Nothing is booked, or the approved booking is taken back. */
  | {
      kind: 'not-booked';
      state: 'declined' | 'cancelled';
      reason: string | null;
      receipt?: readonly string[];
    }
  /** The booking is taken back. */
  | { kind: 'reversed'; reason: string }
  /** The outcome is unknown and must be found out. */
  | { kind: 'unknown'; reason: string }
  /** An operator orders the reversal of a payment that is settled. */
  | { kind: 'reversal-order'; transaction: Booked; by: string }
  /** The answer to the order to reverse the booking. */
  | { kind: 'reverse-answer'; outcome: ReverseOutcome; reason: string }
  /** It is known of every refund of a part whether it was given. */
  | { kind: 'refund-known' }
  /** A refund that was given has failed afterwards. */
  | { kind: 'refund-failed' }
  /** The outcome cannot be found out. */
  | { kind: 'needs-person'; reason: string }
  | { kind: 'finding'; finding: PersonFinding; by: string };

/** The visit of a payment, as far as its payment needs to know. */
export interface PaidVisit {
  /** Whether it has the flag `payment-unknown`. */
  isFlagged: boolean;
  /** Whether its site takes a tip beside the amount; absent: it does not. */
  takesTips?: boolean;
  /** Whether the payment is still due: nothing was paid, waived or ended since it was ordered. */
  isDue(): boolean;
}

/**
 * The effects of an input: all in one transaction and in this order, except `reverse`, which follows the
 * commit.
 */
export type PaymentEffect<Booked extends Booking> =
  /** The journal records the next state. */
  | { kind: 'move'; to: PaymentState; update: PaymentUpdate<Booked> }
  /** The journal records what else is known; the state stays. */
  | { kind: 'amend'; update: PaymentUpdate<Booked> }
  /** The visit gets the flag `payment-unknown`, or loses it. */
  | { kind: 'flag'; raised: boolean }
  /** The visit is settled with the payment, or the settlement is taken back. */
  | { kind: 'settle' | 'refund' }
  /** The cars that wait at exits are decided on again. */
  | { kind: 'decide-again' }
  /** The booking is taken back. */
  | { kind: 'reverse'; transaction: Booked; reason: string };

/**
 * The state machine of a payment: what an input does in the state that the payment has. The states that it moves
 * through are in the effects; an empty list leaves everything as it is.
 */
export function paymentTransition<Booked extends Booking>(
  payment: MovingPayment,
  input: PaymentInput<Booked>,
  visit: PaidVisit,
): PaymentEffect<Booked>[] {
  const { state } = payment;
  if (state === 'reversed') return afterReversal(payment, input);
  if (state === 'declined' || state === 'cancelled') return afterwards(payment, input);
  switch (input.kind) {
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
    case 'refund-known':
      if (state !== 'settled' || payment.reason !== REVERSE_UNKNOWN) return [];
      return [{ kind: 'amend', update: { needsPerson: false, reason: null } }];
    case 'refund-failed':
      return state === 'settled' ? [needsPerson(REFUND_FAILED)] : [];
    case 'finding':
      return found(payment, input, visit);
    default:
      return input satisfies never;
  }
}

/**
 * A payment that counts as not booked keeps its state, since its visit may have been paid otherwise meanwhile. If it is
 * booked after all, the booking goes back once, and a person is needed until it has.
 */
function afterwards<Booked extends Booking>(
  payment: MovingPayment,
  input: PaymentInput<Booked>,
): PaymentEffect<Booked>[] {
  const { needsPerson: isOpen, reason } = payment;
  switch (input.kind) {
    case 'booked': {
      if (reason === BOOKED_LATE || reason === REVERSE_NOT_POSSIBLE || reason === REVERSE_UNKNOWN) return [];
      const { transaction } = input;
      const update: PaymentUpdate<Booked> = { booking: transaction, reason: BOOKED_LATE, needsPerson: true };
      return [
        { kind: 'amend', update },
        { kind: 'reverse', transaction, reason: BOOKED_LATE },
      ];
    }
    case 'reverse-answer': {
      // A person was faster.
      if (!isOpen) return [];
      if (input.outcome === 'not-possible' || input.outcome === 'not-begun')
        return [needsPerson(REVERSE_NOT_POSSIBLE)];
      if (input.outcome === 'unknown') return [needsPerson(REVERSE_UNKNOWN)];
      return [{ kind: 'amend', update: { needsPerson: false, reason: BOOKED_LATE } }];
    }
    case 'finding':
      if (!isOpen || input.finding === 'booked') return [];
      return [{ kind: 'amend', update: { needsPerson: false, reason: `person: ${input.by}` } }];
    case 'not-booked':
    case 'reversed':
    case 'unknown':
    case 'needs-person':
    case 'reversal-order':
    case 'refund-known':
    case 'refund-failed':
      return [];
    default:
      return input satisfies never;
  }
}

/** A reversed payment stays reversed. If the money came back, a person gives it another way. */
function afterReversal<Booked extends Booking>(
  { needsPerson: isOpen }: MovingPayment,
  input: PaymentInput<Booked>,
): PaymentEffect<Booked>[] {
  if (input.kind === 'refund-failed') return [needsPerson(REFUND_FAILED)];
  if (input.kind !== 'finding' || !isOpen || input.finding !== 'given-back') return [];
  return [{ kind: 'amend', update: { needsPerson: false, reason: `person: ${input.by}` } }];
}

type Of<Kind extends PaymentInput<Booking>['kind'], Booked extends Booking = Booking> = Extract<
  PaymentInput<Booked>,
  { kind: Kind }
>;
/** An effect without a booking in it. */
type Effect = PaymentEffect<never>;

/** The money is here. If the payment was cancelled, the terminal takes it back. */
function booked<Booked extends Booking>(
  payment: MovingPayment,
  input: Of<'booked', Booked>,
  visit: PaidVisit,
): PaymentEffect<Booked>[] {
  const { transaction, receipt = [], refused = null } = input;
  const reason =
    refused ??
    mismatch(payment, transaction, visit.takesTips) ??
    (payment.reason === DRIVER_GONE ? DRIVER_GONE : null) ??
    (visit.isDue() ? null : NOT_DUE);
  const update: PaymentUpdate<Booked> = { booking: transaction, receipt, needsPerson: false, reason };
  const recorded: PaymentEffect<Booked> =
    payment.state === 'approved' ? { kind: 'amend', update } : { kind: 'move', to: 'approved', update };
  if (reason !== null) return [recorded, { kind: 'reverse', transaction, reason }];
  return [recorded, ...settled(visit)];
}

/** Why a booking is not the one that was ordered; null: it is. */
export function mismatch(
  payment: Pick<Payment, 'amountMinor' | 'currency'>,
  booking: Booking,
  takesTips = false,
): string | null {
  return tipOf(payment, booking, takesTips) === null ? MISMATCH : null;
}

/** The flag goes first, so that a car that waits leaves by the settlement. */
function settled(visit: PaidVisit, update: PaymentUpdate<never> = {}): Effect[] {
  return [...flag(visit, false), { kind: 'settle' }, move('settled', update), { kind: 'decide-again' }];
}

function reversed(
  { state, reason: before }: MovingPayment,
  reason: string,
  visit: PaidVisit,
  receipt: readonly string[] = [],
): Effect[] {
  // Money that has come back from the card meanwhile was not in this order: a person still gives it.
  const isOwed = before === REFUND_FAILED;
  const first: Effect[] =
    // The journal has no approval of the payment yet.
    state === 'sent' ? [move('unknown')] : state === 'settled' ? [{ kind: 'refund' }] : [];
  const update = { reason: isOwed ? REFUND_FAILED : reason, receipt, needsPerson: isOwed };
  return [...first, move('reversed', update), ...flag(visit, false)];
}

function unknown({ state }: MovingPayment, update: PaymentUpdate<never>): Effect {
  return state === 'unknown' ? { kind: 'amend', update } : move('unknown', update);
}

/**
 * The payment needs a person until there is an answer: the order must not be repeated, not even after a
 * restart.
 */
function reversalOrdered<Booked extends Booking>(
  payment: MovingPayment,
  { transaction, by }: Of<'reversal-order', Booked>,
): PaymentEffect<Booked>[] {
  if (payment.state !== 'settled' || mayBeRefunded(payment)) return [];
  return [
    { kind: 'amend', update: { needsPerson: true, reason: REVERSAL_ORDERED } },
    { kind: 'reverse', transaction, reason: `person: ${by}` },
  ];
}

function reverseAnswered(
  payment: MovingPayment,
  { outcome, reason }: Of<'reverse-answer'>,
  visit: PaidVisit,
): Effect[] {
  const { state } = payment;
  switch (outcome) {
    case 'reversed':
    case 'already-reversed':
      return reversed(payment, reason, visit);
    case 'not-possible':
      if (state === 'settled') return [needsPerson(REVERSE_NOT_POSSIBLE)];
      // The money stays here, and a person must give it back.
      return settled(visit, { needsPerson: true, reason: REVERSE_NOT_POSSIBLE });
    case 'not-begun':
      // A payment that is not settled is checked, and its reversal ordered again if it stands.
      return [state === 'settled' ? needsPerson(REVERSE_NOT_POSSIBLE) : unknown(payment, { reason })];
    case 'unknown':
      return [state === 'settled' ? needsPerson(REVERSE_UNKNOWN) : unknown(payment, { reason })];
    default:
      return outcome satisfies never;
  }
}

/** Asks for a person; as far as is known, the money is here. */
function needsPerson(reason: string): Effect {
  return { kind: 'amend', update: { needsPerson: true, reason } };
}

/** Applies a finding to a payment that needs a person. A booked payment cannot become `not-booked`. */
function found(
  { state, needsPerson }: MovingPayment,
  { finding, by }: Of<'finding'>,
  visit: PaidVisit,
): Effect[] {
  const isSettled = state === 'settled';
  if (!needsPerson || (isSettled && finding === 'not-booked')) return [];
  const reason = `person: ${by}`;
  const update: PaymentUpdate<never> = { needsPerson: false, reason };
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

/**
 * The visit gets the flag `payment-unknown`, or loses it. A car is not kept in while a payment is unknown:
 * exits decide again.
 */
export function flag({ isFlagged }: PaidVisit, raised: boolean): Effect[] {
  if (isFlagged === raised) return [];
  return raised ? [{ kind: 'flag', raised }, { kind: 'decide-again' }] : [{ kind: 'flag', raised }];
}

function move(to: PaymentState, update: PaymentUpdate<never> = {}): Effect {
  return { kind: 'move', to, update };
}
