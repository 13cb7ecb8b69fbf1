import type { PayDue, PayPayment } from '@hlid/protocol/pages/pay-api';
import { MAX_PAY_DAYS } from '@hlid/protocol/pages/pay-paths';
import type { CardStep, Notice, PayAction, PayState, StepAt } from './pay-state.ts';
import { backToPlate, dueStep, goTo, show } from './trail.ts';

/** Notices of a call that succeeded meanwhile. */
const PASSING: readonly (Notice | null)[] = ['failed', 'too-many-requests'];

export function onDue(state: PayState, step: StepAt<'due'>, action: PayAction): PayState {
  const { due } = step;
  switch (action.type) {
    case 'due':
      if (action.due.stay.key !== step.stay) return state;
      return show(state, {
        ...step,
        due: action.due,
        changed: step.changed || (due !== null && due.amountMinor !== action.due.amountMinor),
        notice: PASSING.includes(step.notice) ? null : step.notice,
      });
    case 'refused':
      if (action.fault === 'expired' || action.fault === 'not-found') {
        return backToPlate(state, action.fault);
      }
      return show(state, { ...step, notice: action.fault });
    case 'prove': {
      const proof = { stay: step.stay, day: action.day, time: '', sending: false, notice: null };
      return goTo(state, { at: 'proof', ...proof });
    }
    case 'buy-days':
      if (due === null || due.dayPriceMinor === null) return state;
      return goTo(state, { at: 'days', due, dayPriceMinor: due.dayPriceMinor, quantity: 1 });
    case 'card':
      if (due === null || due.standing !== 'due') return state;
      return goTo(state, cardStep(due, due.amountMinor, null));
    default:
      return state;
  }
}

export function onDays(state: PayState, step: StepAt<'days'>, action: PayAction): PayState {
  const { due, dayPriceMinor, quantity } = step;
  if (action.type === 'quantity') {
    return show(state, { ...step, quantity: Math.min(MAX_PAY_DAYS, Math.max(1, action.quantity)) });
  }
  return action.type === 'card' ? goTo(state, cardStep(due, dayPriceMinor * quantity, quantity)) : state;
}

export function onCard(state: PayState, step: CardStep, action: PayAction): PayState {
  if (action.type !== 'pay') return state;
  const { due, amountMinor, quantity } = step;
  const { key, store = null } = action;
  const order = {
    payment: key,
    stay: due.stay.key,
    amountMinor,
    currency: due.currency,
    quantity,
    caps: store === null ? null : store.caps,
    siteAway: due.siteAway === true,
  };
  return goTo(state, { at: 'pay', order, payment: null, form: { ...step, store }, cancelling: false });
}

export function onPay(state: PayState, step: StepAt<'pay'>, action: PayAction): PayState {
  switch (action.type) {
    case 'payment':
      return action.payment.key === step.order.payment ? followPayment(state, step, action.payment) : state;
    case 'refused':
      return onOrderRefused(state, step, action);
    case 'never-ordered':
      return tryAgain(state, step, 'nothing-charged');
    case 'cancel':
      return show(state, { ...step, cancelling: true });
    default:
      return state;
  }
}

/** A payment that failed has no receipt: the driver begins with the plate. */
export function onAgain(state: PayState, step: StepAt<'again'>, action: PayAction): PayState {
  if (action.type === 'refused') return backToPlate(state, null);
  if (action.type !== 'payment' || action.payment.key !== step.payment) return state;
  const { payment } = action;
  if (payment.state !== 'settled') return backToPlate(state, null);
  const paid = { at: 'paid', payment, caps: null, email: '', mail: 'no', notice: null } as const;
  return { ...state, step: paid, trail: [] };
}

export function onPaid(state: PayState, step: StepAt<'paid'>, action: PayAction): PayState {
  switch (action.type) {
    case 'typed':
      return show(state, { ...step, email: action.text, mail: 'no', notice: null });
    case 'mail-again':
      return show(state, { ...step, mail: 'no', notice: null });
    case 'mail':
      return show(state, { ...step, mail: 'sending', notice: null });
    case 'mailed':
      return show(state, { ...step, mail: 'sent' });
    case 'refused':
      return show(state, { ...step, mail: 'no', notice: action.fault });
    case 'payment':
      // The receipt, and until when the car may leave, may come later than the approval.
      return action.payment.key === step.payment.key
        ? show(state, { ...step, payment: action.payment })
        : state;
    default:
      return state;
  }
}

/** Whether the payment is over, and the page need not remember it. */
export function isOver({ state }: Pick<PayPayment, 'state'>): boolean {
  return state === 'settled' || state === 'declined' || state === 'cancelled' || state === 'reversed';
}

/** Money may have moved, or may still: nothing may be paid again before the outcome is known. */
export function isChecking({ payment, form }: StepAt<'pay'>): boolean {
  if (payment === null) return form === null;
  return payment.state === 'unknown' || payment.needsPerson || (payment.state === 'sent' && form === null);
}

function followPayment(state: PayState, step: StepAt<'pay'>, payment: PayPayment): PayState {
  switch (payment.state) {
    case 'approved':
    case 'settled':
      return { ...state, step: paidStep(step, payment), trail: [] };
    case 'declined':
      return tryAgain(state, step, payment.reason ?? 'other');
    case 'cancelled':
      // The driver learns what to expect before the card is charged.
      if (payment.reason === 'site-offline') return toDue(state, step, payment.reason);
      return tryAgain(state, step, payment.reason ?? 'nothing-charged');
    default:
      // `reversed` too is shown here: money moved, and comes back.
      return show(state, { ...step, payment: { ...payment, next: nextOf(step.payment, payment) } });
  }
}

function paidStep({ order, form }: StepAt<'pay'>, payment: PayPayment): StepAt<'paid'> {
  // The address is in no storage: after a reload it is typed again.
  const email = form?.store?.email ?? '';
  return { at: 'paid', payment, caps: order.caps, email, mail: 'no', notice: null };
}

/** A form, or tokens, are answered once. */
function nextOf(before: PayPayment | null, { next }: PayPayment): PayPayment['next'] {
  return next?.kind === 'wait' ? (before?.next ?? next) : next;
}

function onOrderRefused(
  state: PayState,
  step: StepAt<'pay'>,
  { fault, fields = [] }: Extract<PayAction, { type: 'refused' }>,
): PayState {
  // From the order on, only the state of the payment counts.
  if (step.payment !== null) return state;
  switch (fault) {
    case 'card':
    case 'unavailable':
    case 'cancelled':
    case 'failed':
    case 'bad-input':
    case 'too-many-requests':
      return tryAgain(state, step, fault === 'cancelled' ? 'nothing-charged' : fault, fields);
    case 'expired':
      return backToPlate(state, 'expired');
    default:
      // The amount due has changed meanwhile: the page shows it again with the reason.
      return toDue(state, step, fault);
  }
}

/** Goes back after a payment without a charge: to the card, or to the amount due where the form is gone. */
function tryAgain(
  state: PayState,
  step: StepAt<'pay'>,
  notice: Notice,
  fields: CardStep['fields'] = [],
): PayState {
  if (step.form === null) return toDue(state, step, notice);
  return { ...state, step: { ...step.form, notice, fields }, trail: state.trail.slice(0, -1) };
}

function toDue(state: PayState, { order }: StepAt<'pay'>, notice: Notice): PayState {
  const before = state.trail.findIndex(({ at }) => at === 'due');
  const trail = before < 0 ? [] : state.trail.slice(0, before);
  return { ...state, step: dueStep(order.stay, notice), trail };
}

function cardStep(due: PayDue, amountMinor: number, quantity: number | null): CardStep {
  return { at: 'card', due, quantity, amountMinor, notice: null, fields: [], store: null };
}
