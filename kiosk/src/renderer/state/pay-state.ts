import type { KioskDue, KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { KioskState, ScreenAction, ScreenAt } from './kiosk-state.ts';
import { dueScreen, goTo, payScreen, show, typedBefore } from './trail.ts';

const DUE_IS_ANOTHER: ReadonlySet<KioskFault> = new Set([
  'nothing-due',
  'too-little',
  'not-for-sale',
  'amount-changed',
  'key-reused',
  'payment-under-way',
  'visit-ended',
  'bad-input',
  'not-found',
]);

export function onPay(state: KioskState, screen: ScreenAt<'pay'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'payment': {
      const { payment } = action;
      if (payment.visitId !== screen.request.visitId) return state;
      if (payment.state === 'settled') {
        return show({ ...state, trail: [] }, { at: 'receipt', payment, receipt: null, trouble: null });
      }
      return show(state, { ...screen, payment, trouble: null });
    }
    case 'cancel':
      return show(state, { ...screen, cancelling: true });
    case 'pay':
      // Another try is another order; only where nothing was booked by this one.
      return mayTryAgain(screen) ? show(state, payScreen({ ...screen.request, key: action.key })) : state;
    case 'pay-by-phone': {
      const before = mayTryAgain(screen) ? dueBefore(state.trail) : null;
      return before === null ? state : goTo(state, { at: 'phone', ...before, link: null, trouble: null });
    }
    case 'refused':
      // Another amount is due by now, or nothing: the screen shows it again.
      return DUE_IS_ANOTHER.has(action.fault)
        ? show(withoutDue(state), { ...dueScreen(screen.request.visitId, typedBefore(state)), changed: true })
        : show(state, { ...screen, trouble: action.fault });
    default:
      return state;
  }
}

/** The debt before the order, which a phone can pay as well; null: there was none. */
export function dueBefore(trail: KioskState['trail']): { due: KioskDue; typed: string } | null {
  const before = trail.findLast((screen) => screen.at === 'due');
  return before?.due?.standing === 'due' ? { due: before.due, typed: before.typed } : null;
}

/** Whether nothing was booked by this order, and nothing will be. */
export function mayTryAgain({ payment, trouble }: ScreenAt<'pay'>): boolean {
  if (payment) return ['declined', 'cancelled', 'reversed'].includes(payment.state);
  return trouble === 'terminal-busy' || trouble === 'terminal-away' || trouble === 'no-terminal';
}

/** Whether the edge or the terminal works on this order: the driver is not sent away from it. */
export function isWorking({ payment, trouble }: ScreenAt<'pay'>): boolean {
  if (!payment) return trouble === null;
  return payment.state === 'created' || payment.state === 'sent' || payment.state === 'approved';
}

/** The way back does not lead to what was due before. */
function withoutDue(state: KioskState): KioskState {
  return { ...state, trail: state.trail.filter(({ at }) => at !== 'due' && at !== 'days') };
}
