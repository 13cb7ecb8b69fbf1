import { isMailAddress } from '@hlid/protocol/base/mail-address';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import type { KioskState, ScreenAction, ScreenAt } from './kiosk-state.ts';
import { goTo, leave, show } from './trail.ts';
import { typedText } from './typed-text.ts';

const LONGEST_ADDRESS = 80;

export function onReceipt(state: KioskState, screen: ScreenAt<'receipt'>, action: ScreenAction): KioskState {
  const { payment, receipt } = screen;
  switch (action.type) {
    case 'receipt':
      return show(state, { ...screen, receipt: action.receipt, trouble: null });
    case 'refused':
      return show(state, { ...screen, trouble: action.fault });
    case 'mail':
      return goTo(state, { at: 'mail', payment, receipt, typed: '', sending: false, trouble: null });
    case 'leave':
      return leave(state, deadlineOf(payment), false);
    default:
      return state;
  }
}

export function onMail(state: KioskState, screen: ScreenAt<'mail'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'send':
      return isMailAddress(screen.typed)
        ? show(state, { ...screen, sending: true, trouble: null })
        : show(state, { ...screen, trouble: 'bad-input' });
    case 'mail-taken':
      return leave(state, deadlineOf(screen.payment), true);
    case 'refused':
      return show(state, { ...screen, sending: false, trouble: action.fault });
    default: {
      if (screen.sending) return state;
      const typed = typedText(beforeEnding(screen.typed, action), action, LONGEST_ADDRESS);
      return typed === screen.typed ? state : show(state, { ...screen, typed, trouble: null });
    }
  }
}

/** The text before a whole ending such as `@gmail.com`; the beginning of an ending is removed. */
function beforeEnding(typed: string, action: ScreenAction): string {
  const isEnding = action.type === 'key' && /^@./.test(action.character);
  return isEnding ? typed.replace(/@.*$/, '') : typed;
}
