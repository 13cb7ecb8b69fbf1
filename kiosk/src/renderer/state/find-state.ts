import { payDue } from './due-state.ts';
import {
  type EntryTime,
  type Found,
  type KioskState,
  onlyCar,
  type ScreenAction,
  type ScreenAt,
  SHORTEST_PLATE,
  SHORTEST_SEARCH,
} from './kiosk-state.ts';
import { backTo, browseScreen, dueScreen, goTo, leave, pick, plateScreen, show } from './trail.ts';
import { typedPlate } from './typed-text.ts';

export function onPlate(state: KioskState, screen: ScreenAt<'plate'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'find':
      if (screen.typed.length < SHORTEST_PLATE) return state;
      return screen.found
        ? showFound(state, screen, screen.found)
        : show(state, { ...screen, asked: true, trouble: null });
    case 'found':
      if (action.found.plate !== screen.typed) return state;
      return screen.asked
        ? showFound(state, screen, action.found)
        : show(state, { ...screen, found: action.found, trouble: null });
    case 'refused':
      return show(state, { ...screen, asked: false, trouble: action.fault });
    case 'due':
      return onlyCar(screen)?.id === action.due.visit.id
        ? show(state, { ...screen, due: action.due })
        : state;
    case 'pay':
      return payOnlyCar(state, screen, action.key);
    case 'pick':
      return pick(state, action.visit);
    case 'browse':
      return goTo(state, browseScreen());
    default: {
      const typed = typedPlate(screen.typed, action);
      return typed === screen.typed ? state : show(state, plateScreen(typed));
    }
  }
}

export function onChoose(state: KioskState, screen: ScreenAt<'choose'>, action: ScreenAction): KioskState {
  if (action.type === 'pick') return pick(state, action.visit);
  return action.type === 'change-plate' ? goTo(state, { at: 'not-found', plate: screen.found.plate }) : state;
}

export function onQuestion(
  state: KioskState,
  screen: ScreenAt<'question'>,
  action: ScreenAction,
): KioskState {
  switch (action.type) {
    case 'pick':
      return goTo(state, dueScreen(screen.visit.id, screen.typed));
    case 'not-mine':
      return show(state, { ...screen, sending: true, trouble: null });
    case 'exit-opens':
      return leave(state, null, false, { exitOpens: true });
    case 'refused':
      return show(state, { ...screen, sending: false, trouble: action.fault });
    default:
      return state;
  }
}

export function onNotFound(
  state: KioskState,
  screen: ScreenAt<'not-found'>,
  action: ScreenAction,
): KioskState {
  if (action.type === 'change-plate') return backTo(state, 'plate') ?? goTo(state, plateScreen(screen.plate));
  return action.type === 'browse' ? goTo(state, browseScreen()) : state;
}

export function onBrowse(state: KioskState, screen: ScreenAt<'browse'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'entry-time':
      return show(state, { ...screen, time: action.time, visits: null, trouble: null });
    case 'entries':
      return sameTime(action.time, screen.time)
        ? show(state, { ...screen, visits: action.visits, trouble: null })
        : state;
    case 'refused':
      return show(state, { ...screen, trouble: action.fault });
    case 'pick':
      return pick(state, action.visit);
    default:
      return state;
  }
}

/** Car and price are seen beside what was typed: nothing more is asked. The way back leads to what is due. */
function payOnlyCar(state: KioskState, screen: ScreenAt<'plate'>, key: string): KioskState {
  const { due, typed } = screen;
  if (due?.standing !== 'due') return state;
  return payDue(goTo(state, { ...dueScreen(due.visit.id, typed), due }), due, key);
}

function showFound(state: KioskState, screen: ScreenAt<'plate'>, found: Found): KioskState {
  const [only, ...others] = found.visits;
  // A driver who has typed the whole plate of the only car goes on at once; with less, another person's car
  // would be shown.
  if (only && others.length === 0 && (only.doubtful || only.plate === found.plate)) return pick(state, only);
  if (found.visits.length > 0) return goTo(state, { at: 'choose', found });
  // A text this short may be the beginning of many plates: the driver types on.
  if (found.plate.length < SHORTEST_SEARCH)
    return show(state, { ...screen, found, asked: false, trouble: null });
  return goTo(state, { at: 'not-found', plate: found.plate });
}

function sameTime(one: EntryTime, other: EntryTime | null): boolean {
  return other !== null && one.day === other.day && one.hours.join() === other.hours.join();
}
