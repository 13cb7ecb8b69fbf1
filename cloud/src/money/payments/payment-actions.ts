import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { PaymentState } from '@hlid/protocol/records/payment';
import {
  FINDING_CONTRADICTED,
  mayBeRefunded,
  type PersonFinding,
} from '@hlid/protocol/rules/payment-transitions';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import { CHARGEBACK_STATES, type ChargebackState } from '../../records/payments/chargeback-table.ts';
import { CHARGED_BACK, type ChargebackRow, chargedBackMinor, isStanding } from './chargebacks.ts';
import type { PaymentRow } from './payment-store.ts';
import { ATTEMPTS_BEFORE_PERSON, isOpenRefund, type RefundRow, refundedOrOrdered } from './refunds.ts';

export const PAYMENT_ACTION_NAMES = [
  'booked',
  'not-booked',
  'given-back',
  'reverse',
  'keep',
  'chargeback',
] as const;
export type PaymentAction = (typeof PAYMENT_ACTION_NAMES)[number];

type Row = Pick<
  PaymentRow,
  'state' | 'needsPerson' | 'reason' | 'terminalId' | 'settledTwice' | 'siteLostAt'
>;

/** The facts that decide about the actions of a payment. */
export interface PaymentFacts extends Row {
  chargebacks: readonly Pick<ChargebackRow, 'state' | 'amountMinor'>[];
  refunds: readonly Pick<RefundRow, 'state' | 'amountMinor' | 'attempts'>[];
  /** The amount that its provider has booked; null: none, or it was made at a terminal. */
  bookedMinor: number | null;
}

/** The reason why a site refuses an order: an earlier order may have returned the money. */
export const IN_DOUBT = 'reversal-unknown';

/** The actions of a card payment, and when each is possible. The commands refuse by these rules. */
export const PAYMENT_ACTIONS = {
  booked: findingRule('booked'),
  'not-booked': findingRule('not-booked'),
  'given-back': findingRule('given-back'),
  reverse: {
    route: 'POST /payments/:id/reverse',
    refuse: (payment: Omit<PaymentFacts, 'settledTwice'>) =>
      payment.terminalId === null ? refuseRefund(payment) : refuseReversal(payment),
  },
  keep: {
    route: 'POST /visit/:id/reviewed',
    refuse: ({ settledTwice }: Pick<Row, 'settledTwice'>) =>
      settledTwice ? null : ('nothing-to-do' as const),
  },
  chargeback: {
    route: 'POST /payments/:id/chargeback',
    // The holder of the card may charge back what has been refunded.
    refuse: ({ state }: Pick<Row, 'state'>) =>
      state === 'settled' || state === 'reversed' ? null : mistake('charge-back-settled-only', [], { state }),
  },
} satisfies ActionRules<PaymentAction, PaymentFacts>;

export const PaymentActionsSchema = actionsSchema(PAYMENT_ACTION_NAMES, PAYMENT_ACTIONS);

/** Why money of an online payment does not go back at its provider; null: it can, all that is left of it. */
export function refuseRefund({
  state,
  bookedMinor,
  chargebacks,
  refunds,
}: Pick<PaymentFacts, 'state' | 'bookedMinor' | 'chargebacks' | 'refunds'>): Mistake | null {
  // It is not decided who gets the money.
  if (chargebacks.some((one) => one.state === 'open')) return CHARGED_BACK;
  if (state !== 'settled') return mistake('refund-settled-only', [], { state });
  if (bookedMinor === null) return mistake('not-booked-by-provider');
  // A refund that may have been sent counts as given. No other one is made before that is known.
  const open = refunds.find(isOpenRefund);
  if (open !== undefined) return mistake(open.state === 'unclear' ? 'refund-unclear' : 'refund-under-way');
  const leftMinor = bookedMinor - refundedOrOrdered(refunds) - chargedBackMinor(chargebacks);
  return chargebacks.some(isStanding) && leftMinor <= 0 ? CHARGED_BACK : null;
}

/** Why a terminal does not reverse a payment; null: it can be ordered to. */
function refuseReversal(
  payment: Pick<PaymentFacts, 'state' | 'needsPerson' | 'reason' | 'chargebacks' | 'siteLostAt'>,
): Mistake | null {
  const { state, chargebacks, siteLostAt } = payment;
  if (state !== 'settled') return mistake('reverse-settled-only', [], { state });
  if (mayBeRefunded(payment)) return mistake('reversal-not-begun', [], { reason: IN_DOUBT });
  if (siteLostAt !== null) return mistake('reversal-not-begun', [], { reason: 'not-found' });
  return chargebacks.some(isStanding) ? CHARGED_BACK : null;
}

type FindingFacts = Pick<
  PaymentFacts,
  'state' | 'needsPerson' | 'reason' | 'terminalId' | 'siteLostAt' | 'refunds'
>;

function findingRule(finding: PersonFinding) {
  return {
    route: 'POST /payments/:id/finding',
    refuse: (payment: FindingFacts) =>
      payment.terminalId === null ? refuseFinding(payment, finding) : refuseTerminalFinding(payment, finding),
  };
}

function refuseFinding(
  { state, needsPerson, refunds }: Pick<PaymentFacts, 'state' | 'needsPerson' | 'refunds'>,
  finding: PersonFinding,
): Mistake | null {
  if (!needsPerson) return mistake('needs-no-person');
  if (state === 'settled' && finding === 'not-booked') return mistake('booked-by-provider');
  if (state === 'reversed' && finding !== 'given-back') return mistake('payment-over', [], { state });
  const isOver = state === 'declined' || state === 'cancelled';
  if (isOver && finding === 'booked') return mistake('payment-over', [], { state });
  // A refund about which the provider is still queried.
  const isUnderWay = refunds.some(
    (refund) => refund.state === 'ordered' && refund.attempts < ATTEMPTS_BEFORE_PERSON,
  );
  return isUnderWay ? mistake('refund-under-way') : null;
}

/** The findings that a person may record for a payment at a terminal in that state. */
const TERMINAL_FINDINGS: Readonly<Partial<Record<PaymentState, readonly PersonFinding[]>>> = {
  settled: ['booked', 'given-back'],
  // The books have it as given back, and the site reports otherwise.
  reversed: ['given-back'],
  cancelled: ['not-booked', 'given-back'],
  declined: ['not-booked', 'given-back'],
};
const EVERY_FINDING: readonly PersonFinding[] = ['booked', 'not-booked', 'given-back'];

/** A payment at a terminal is resolved at its site, as long as the site can report more about it. */
export function refuseTerminalFinding(
  { state, needsPerson, reason, siteLostAt }: Pick<Row, 'state' | 'needsPerson' | 'reason' | 'siteLostAt'>,
  finding: PersonFinding,
): Mistake | null {
  if (!needsPerson) return mistake('needs-no-person');
  if (siteLostAt === null && reason !== FINDING_CONTRADICTED) return mistake('site-knows-payment');
  const findings = TERMINAL_FINDINGS[state] ?? EVERY_FINDING;
  return findings.includes(finding) ? null : mistake('terminal-finding', [], { state, findings });
}

export const CHARGEBACK_ACTION_NAMES = ['evidence', 'won', 'lost'] as const;
export type ChargebackAction = (typeof CHARGEBACK_ACTION_NAMES)[number];

/** The changes that can be recorded of a known chargeback. A lost one may still be won, by an appeal. */
export const CHARGEBACK_ACTIONS = {
  evidence: chargebackRule('open'),
  won: chargebackRule('won'),
  lost: chargebackRule('lost'),
} satisfies ActionRules<ChargebackAction, Pick<ChargebackRow, 'state'>>;

export const ChargebackActionsSchema = actionsSchema(CHARGEBACK_ACTION_NAMES, CHARGEBACK_ACTIONS);

function chargebackRule(to: ChargebackState) {
  return {
    route: 'POST /payments/:id/chargeback',
    refuse: ({ state }: Pick<ChargebackRow, 'state'>) =>
      state === to && state !== 'open' ? ('nothing-to-do' as const) : refuseChargebackState(state, to),
  };
}

/** Why a person cannot record a state of a chargeback, as it stands; null: it can become that. */
export function refuseChargebackState(state: ChargebackState, to: ChargebackState): Mistake | null {
  const isOver = (state === 'prevented' && to !== state) || rankOf(to) < rankOf(state);
  return isOver ? mistake('chargeback-over', 'state', { state }) : null;
}

/** Reports come in any order: a chargeback was open before it was lost, and lost before an appeal has won it. */
export function rankOf(state: ChargebackState): number {
  return CHARGEBACK_STATES.indexOf(state);
}
