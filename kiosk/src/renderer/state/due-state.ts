import type { KioskDue } from '@hlid/protocol/pages/kiosk-api';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { isWellFormed, MAX_CODE_LENGTH, MAX_CODE_TEXT, plainCode } from '@hlid/protocol/records/exit-code';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import {
  type KioskState,
  MAX_DAYS,
  type PayRequest,
  type ScreenAction,
  type ScreenAt,
} from './kiosk-state.ts';
import { dueScreen, goBack, goTo, leave, payScreen, show } from './trail.ts';
import { typedPlate, typedText } from './typed-text.ts';

export function onDue(state: KioskState, screen: ScreenAt<'due'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'due':
      return showDue(state, action.due);
    case 'refused':
      return show(state, { ...screen, trouble: action.fault });
    case 'buy-days':
      return buyDays(state, screen.due);
    case 'pay-by-phone':
      return screen.due?.standing === 'due'
        ? goTo(state, { at: 'phone', due: screen.due, typed: screen.typed, link: null, trouble: null })
        : state;
    case 'enter-code':
      return screen.due === null ? state : goTo(state, codeScreen(screen.due, screen.typed));
    case 'code-scanned': {
      if (screen.due === null) return state;
      return goTo(state, { ...codeScreen(screen.due, screen.typed), typed: action.code, sending: true });
    }
    case 'not-this-car':
      // The question, the choice, or the plate that was typed.
      return goBack(state);
    case 'pay':
      return payDue(state, screen.due, action.key);
    case 'leave':
      return leave(state, screen.due === null ? null : deadlineOf(screen.due), false);
    default:
      return state;
  }
}

/** The kiosk follows the amount due while the phone pays, by what its site has recorded. */
export function onPhone(state: KioskState, screen: ScreenAt<'phone'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'pay-link':
      return show(state, { ...screen, link: action.url, trouble: null });
    case 'due': {
      const { due } = action;
      if (due.visit.id !== screen.due.visit.id) return state;
      if (due.standing === 'due') return show(state, { ...screen, due });
      if (due.standing === 'paid') return leave(state, deadlineOf(due), false, { paid: true });
      return show(state, { ...dueScreen(due.visit.id, screen.typed), due });
    }
    case 'refused':
      // It has left meanwhile.
      if (action.fault === 'not-found') {
        return show(state, { ...dueScreen(screen.due.visit.id, screen.typed), trouble: action.fault });
      }
      return show(state, { ...screen, trouble: action.fault });
    case 'pay':
      return payDue(state, screen.due, action.key);
    default:
      return state;
  }
}

function codeScreen(due: KioskDue, plate: string): ScreenAt<'code'> {
  return { at: 'code', due, plate, typed: '', sending: false, trouble: null };
}

export function onCode(state: KioskState, screen: ScreenAt<'code'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'send':
      return isWellFormed(screen.typed)
        ? show(state, { ...screen, sending: true, trouble: null })
        : show(state, { ...screen, trouble: 'wrong-code' });
    case 'due': {
      const { due } = action;
      if (due.visit.id !== screen.due.visit.id) return state;
      if (due.standing === 'paid') return leave(state, deadlineOf(due), false, { paid: true });
      // The code is counted, and more is due by now.
      return goTo(goBack(state), { ...dueScreen(due.visit.id, screen.plate), due, changed: true });
    }
    case 'refused':
      return show(state, { ...screen, sending: false, trouble: action.fault });
    default: {
      if (screen.sending) return state;
      const typed = plainCode(typedText(screen.typed, action, MAX_CODE_TEXT)).slice(0, MAX_CODE_LENGTH);
      return typed === screen.typed ? state : show(state, { ...screen, typed, trouble: null });
    }
  }
}

export function onNamePlate(
  state: KioskState,
  screen: ScreenAt<'name-plate'>,
  action: ScreenAction,
): KioskState {
  switch (action.type) {
    case 'send':
      return normalisePlate(screen.typed) === ''
        ? state
        : show(state, { ...screen, sending: true, trouble: null });
    case 'due':
      // The edge has the plate, and reports what is due for it.
      return showDue(state, action.due);
    case 'refused':
      return show(state, { ...screen, sending: false, trouble: action.fault });
    default:
      return screen.sending
        ? state
        : show(state, { ...screen, typed: typedPlate(screen.typed, action), trouble: null });
  }
}

export function onDays(state: KioskState, screen: ScreenAt<'days'>, action: ScreenAction): KioskState {
  const { due, dayPriceMinor, quantity } = screen;
  if (action.type === 'quantity') {
    return show(state, { ...screen, quantity: Math.min(MAX_DAYS, Math.max(1, action.quantity)) });
  }
  if (action.type !== 'pay') return state;
  const amountMinor = dayPriceMinor * quantity;
  return goTo(state, payScreen({ ...payRequestOf(due, action.key), amountMinor, quantity }));
}

function showDue(state: KioskState, due: KioskDue): KioskState {
  const { screen } = state;
  if (screen.at === 'name-plate') {
    if (screen.visit.id !== due.visit.id) return state;
  } else if (screen.at !== 'due' || screen.visitId !== due.visit.id) return state;
  if (due.standing === 'need-plate') {
    return show(state, { at: 'name-plate', visit: due.visit, typed: '', sending: false, trouble: null });
  }
  const before = screen.at === 'due' ? screen : null;
  // It was being checked, and the driver has waited for it.
  if (before?.due?.standing === 'checking' && due.standing === 'paid') {
    return leave(state, deadlineOf(due), false, { paid: true });
  }
  const changed = before?.due
    ? before.changed || before.due.amountMinor !== due.amountMinor
    : (before?.changed ?? false);
  return show(state, { at: 'due', visitId: due.visit.id, typed: screen.typed, due, changed, trouble: null });
}

function buyDays(state: KioskState, due: KioskDue | null): KioskState {
  if (!due || due.dayPriceMinor === null) return state;
  return goTo(state, { at: 'days', due, dayPriceMinor: due.dayPriceMinor, quantity: 1 });
}

/** Orders what is due, if anything is. */
export function payDue(state: KioskState, due: KioskDue | null, key: string): KioskState {
  return due?.standing === 'due' ? goTo(state, payScreen(payRequestOf(due, key))) : state;
}

function payRequestOf({ visit, amountMinor, currency }: KioskDue, key: string): PayRequest {
  return { key, visitId: visit.id, amountMinor, currency, quantity: null };
}
