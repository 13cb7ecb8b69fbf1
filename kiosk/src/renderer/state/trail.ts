import type { KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import type { KioskState, PayRequest, Screen, ScreenAt } from './kiosk-state.ts';

/** The same screen in another state. */
export function show(state: KioskState, screen: Screen): KioskState {
  return { ...state, screen };
}

/** Goes to another screen, from which a way leads back. */
export function goTo(state: KioskState, screen: Screen): KioskState {
  return { ...state, screen, trail: [...state.trail, state.screen] };
}

export function atStart(state: KioskState): KioskState {
  return { ...state, screen: { at: 'start' }, trail: [], helping: false, idleSeconds: null };
}

/** One screen back, past those that were only on the way. */
export function goBack(state: KioskState): KioskState {
  const before = state.trail.at(-1);
  if (!before) return atStart(state);
  const trail = state.trail.slice(0, -1);
  if (before.at === 'due') return { ...state, trail, screen: dueScreen(before.visitId, before.typed) };
  if (before.at === 'plate') return { ...state, trail, screen: plateScreen(before.typed) };
  return { ...state, trail, screen: before };
}

/** Back to the last screen of that kind; null: there was none. */
export function backTo(state: KioskState, at: Screen['at']): KioskState | null {
  const place = state.trail.findLastIndex((screen) => screen.at === at);
  return place < 0 ? null : goBack({ ...state, trail: state.trail.slice(0, place + 1) });
}

export function plateScreen(typed: string): Screen {
  return { at: 'plate', typed, found: null, asked: false, due: null, trouble: null };
}

export function browseScreen(): Screen {
  return { at: 'browse', time: null, visits: null, trouble: null };
}

export function dueScreen(visitId: string, typed: string): ScreenAt<'due'> {
  return { at: 'due', visitId, typed, due: null, changed: false, trouble: null };
}

export function payScreen(request: PayRequest): Screen {
  return { at: 'pay', request, payment: null, cancelling: false, trouble: null };
}

/** Shows the next screen for the picked car: its due, or first the question whether it is that car. */
export function pick(state: KioskState, visit: KioskVisit): KioskState {
  const typed = typedBefore(state);
  if (!visit.doubtful) return goTo(state, dueScreen(visit.id, typed));
  return goTo(state, { at: 'question', visit, typed, sending: false, trouble: null });
}

/** The part of the plate that the driver has typed on the way here. */
export function typedBefore({ screen, trail }: KioskState): string {
  for (const each of [screen, ...trail.toReversed()]) {
    if (each.at === 'plate' || each.at === 'name-plate' || each.at === 'due') return each.typed;
    if (each.at === 'browse') return '';
  }
  return '';
}

/** The last screen; no way leads back from it. */
export function leave(
  state: KioskState,
  leaveBy: string | null,
  mailed: boolean,
  more: Pick<ScreenAt<'leave'>, 'exitOpens' | 'paid'> = {},
): KioskState {
  const screen: Screen = { at: 'leave', leaveBy, mailed, ...more };
  return { ...state, trail: [], helping: false, screen };
}
