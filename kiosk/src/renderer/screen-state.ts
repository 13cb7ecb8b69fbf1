import type {
  KioskDue,
  KioskFault,
  KioskPayment,
  KioskReceipt,
  KioskSite,
  KioskVisit,
} from '@hlid/protocol/kiosk-api';
import { normalisePlate } from '@hlid/protocol/plate';

export type Language = 'is' | 'en';

export const FIRST_LANGUAGE: Language = 'is';
/** So many characters bring up suggestions, and are asked for before a search. */
export const SHORTEST_SEARCH = 3;
export const LONGEST_PLATE = 12;
const LONGEST_ADDRESS = 80;
export const MOST_HOURS = 3;
export const MOST_DAYS = 30;

/** What a search brought, and what was searched for. */
export interface Found {
  plate: string;
  visits: readonly KioskVisit[];
}

/** A day on the site's wall, `YYYY-MM-DD`, and hours of it; no hours: the whole day. */
export interface EntryTime {
  day: string;
  hours: readonly number[];
}

/** What is to be paid. The key says that it is this one order, however often it is sent. */
export interface PayWish {
  key: string;
  visitId: string;
  amountMinor: number;
  currency: string;
  /** Days in advance; null: what is due. */
  quantity: number | null;
}

export type Screen =
  | { at: 'start' }
  /** `asked`: the driver wants to see what was found, as soon as it is there. */
  | { at: 'plate'; typed: string; found: Found | null; asked: boolean; trouble: KioskFault | null }
  | { at: 'choose'; found: Found }
  | { at: 'not-found'; plate: string }
  | { at: 'browse'; time: EntryTime | null; visits: readonly KioskVisit[] | null; trouble: KioskFault | null }
  | { at: 'name-plate'; visit: KioskVisit; typed: string; sending: boolean; trouble: KioskFault | null }
  /** `typed`: as much of the plate as the driver knows, and is shown again. */
  | {
      at: 'due';
      visitId: string;
      typed: string;
      due: KioskDue | null;
      changed: boolean;
      trouble: KioskFault | null;
    }
  | { at: 'days'; due: KioskDue; dayPriceMinor: number; quantity: number }
  | {
      at: 'pay';
      wish: PayWish;
      payment: KioskPayment | null;
      cancelling: boolean;
      trouble: KioskFault | null;
    }
  | { at: 'receipt'; payment: KioskPayment; receipt: KioskReceipt | null; trouble: KioskFault | null }
  | {
      at: 'mail';
      payment: KioskPayment;
      receipt: KioskReceipt | null;
      typed: string;
      sending: boolean;
      trouble: KioskFault | null;
    }
  | { at: 'leave'; paidUntil: string | null; mailed: boolean };

export interface KioskState {
  language: Language;
  /** Null: the edge has not answered yet. */
  site: KioskSite | null;
  edge: 'looking' | 'here' | 'lost';
  screen: Screen;
  /** The screens before this one, for the way back. */
  trail: readonly Screen[];
  helping: boolean;
  /** Until it goes back to the start by itself; null: nobody has been gone for long. */
  idleSeconds: number | null;
}

export type KioskAction =
  | { type: 'language'; language: Language }
  | { type: 'site'; site: KioskSite }
  | { type: 'edge-lost' }
  | { type: 'help'; open: boolean }
  | { type: 'idle'; seconds: number | null }
  | { type: 'idle-over' }
  | { type: 'start-over' }
  | { type: 'back' }
  | { type: 'begin' }
  | { type: 'key'; character: string }
  | { type: 'erase' }
  | { type: 'clear' }
  | { type: 'find' }
  | { type: 'found'; found: Found }
  | { type: 'change-plate' }
  | { type: 'browse' }
  | { type: 'entry-time'; time: EntryTime }
  | { type: 'entries'; time: EntryTime; visits: readonly KioskVisit[] }
  | { type: 'pick'; visit: KioskVisit }
  | { type: 'send' }
  | { type: 'due'; due: KioskDue }
  | { type: 'buy-days' }
  | { type: 'quantity'; quantity: number }
  | { type: 'pay'; key: string }
  | { type: 'payment'; payment: KioskPayment }
  | { type: 'cancel' }
  | { type: 'receipt'; receipt: KioskReceipt }
  | { type: 'mail' }
  | { type: 'mail-taken' }
  | { type: 'leave' }
  /** What the screen had asked the edge for was refused. */
  | { type: 'refused'; fault: KioskFault };

/** A payment that this kiosk was following when its page was loaded anew. */
export interface Unfinished {
  wish: PayWish;
  language: Language;
}

export function firstState(unfinished: Unfinished | null = null): KioskState {
  return {
    language: unfinished?.language ?? FIRST_LANGUAGE,
    site: null,
    edge: 'looking',
    screen: unfinished ? payScreen(unfinished.wish) : { at: 'start' },
    trail: [],
    helping: false,
    idleSeconds: null,
  };
}

/** What becomes of the kiosk by what has happened. Answers to what is not asked any more change nothing. */
export function nextState(state: KioskState, action: KioskAction): KioskState {
  switch (action.type) {
    case 'language':
      return { ...state, language: action.language };
    case 'site':
      return { ...state, site: action.site, edge: 'here' };
    case 'edge-lost':
      return { ...state, edge: 'lost' };
    case 'help':
      return { ...state, helping: action.open };
    case 'idle':
      return state.idleSeconds === action.seconds ? state : { ...state, idleSeconds: action.seconds };
    case 'idle-over':
      // Whoever comes next is somebody else.
      return { ...atStart(state), language: FIRST_LANGUAGE };
    case 'start-over':
      return atStart(state);
    case 'back':
      return goBack(state);
    default:
      return onScreen(state, action);
  }
}

type ScreenAction = Exclude<
  KioskAction,
  { type: 'language' | 'site' | 'edge-lost' | 'help' | 'idle' | 'idle-over' | 'start-over' | 'back' }
>;

function onScreen(state: KioskState, action: ScreenAction): KioskState {
  const { screen } = state;
  switch (screen.at) {
    case 'start':
      if (action.type === 'begin') return goTo(state, plateScreen(''));
      return action.type === 'browse' ? goTo(state, browseScreen()) : state;
    case 'plate':
      return onPlate(state, screen, action);
    case 'choose':
      if (action.type === 'pick') return pick(state, action.visit);
      return action.type === 'change-plate'
        ? goTo(state, { at: 'not-found', plate: screen.found.plate })
        : state;
    case 'not-found':
      if (action.type === 'change-plate')
        return backTo(state, 'plate') ?? goTo(state, plateScreen(screen.plate));
      return action.type === 'browse' ? goTo(state, browseScreen()) : state;
    case 'browse':
      if (action.type === 'entry-time')
        return show(state, { ...screen, time: action.time, visits: null, trouble: null });
      if (action.type === 'entries' && sameTime(action.time, screen.time)) {
        return show(state, { ...screen, visits: action.visits, trouble: null });
      }
      if (action.type === 'refused') return show(state, { ...screen, trouble: action.fault });
      return action.type === 'pick' ? pick(state, action.visit) : state;
    case 'name-plate':
      if (action.type === 'send' && normalisePlate(screen.typed).length > 0) {
        return show(state, { ...screen, sending: true, trouble: null });
      }
      // The edge has the plate, and says what is due for it.
      if (action.type === 'due') return showDue(state, action.due);
      if (action.type === 'refused') return show(state, { ...screen, sending: false, trouble: action.fault });
      return screen.sending
        ? state
        : show(state, { ...screen, typed: typedPlate(screen.typed, action), trouble: null });
    case 'due':
      if (action.type === 'due') return showDue(state, action.due);
      if (action.type === 'refused') return show(state, { ...screen, trouble: action.fault });
      if (action.type === 'buy-days') return buyDays(state, screen.due);
      if (action.type === 'pay') return payDue(state, screen.due, action.key);
      return action.type === 'leave' ? leave(state, screen.due?.paidUntil ?? null, false) : state;
    case 'days':
      return onDays(state, screen, action);
    case 'pay':
      return onPay(state, screen, action);
    case 'receipt':
      if (action.type === 'receipt')
        return show(state, { ...screen, receipt: action.receipt, trouble: null });
      if (action.type === 'refused') return show(state, { ...screen, trouble: action.fault });
      if (action.type === 'mail') {
        const { payment, receipt } = screen;
        return goTo(state, { at: 'mail', payment, receipt, typed: '', sending: false, trouble: null });
      }
      return action.type === 'leave' ? leave(state, screen.payment.paidUntil, false) : state;
    case 'mail':
      return onMail(state, screen, action);
    case 'leave':
      return state;
    default:
      return screen satisfies never;
  }
}

type ScreenAt<At extends Screen['at']> = Extract<Screen, { at: At }>;

function onPlate(state: KioskState, screen: ScreenAt<'plate'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'find':
      if (screen.typed.length < SHORTEST_SEARCH) return state;
      return screen.found
        ? showFound(state, screen.found)
        : show(state, { ...screen, asked: true, trouble: null });
    case 'found':
      if (action.found.plate !== screen.typed) return state;
      return screen.asked
        ? showFound(state, action.found)
        : show(state, { ...screen, found: action.found, trouble: null });
    case 'refused':
      return show(state, { ...screen, asked: false, trouble: action.fault });
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

function onDays(state: KioskState, screen: ScreenAt<'days'>, action: ScreenAction): KioskState {
  const { due, dayPriceMinor, quantity } = screen;
  if (action.type === 'quantity') {
    return show(state, { ...screen, quantity: Math.min(MOST_DAYS, Math.max(1, action.quantity)) });
  }
  if (action.type !== 'pay') return state;
  const amountMinor = dayPriceMinor * quantity;
  return goTo(state, payScreen({ ...wishOf(due, action.key), amountMinor, quantity }));
}

function onPay(state: KioskState, screen: ScreenAt<'pay'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'payment': {
      const { payment } = action;
      if (payment.visitId !== screen.wish.visitId) return state;
      if (payment.state === 'settled') {
        return show({ ...state, trail: [] }, { at: 'receipt', payment, receipt: null, trouble: null });
      }
      return show(state, { ...screen, payment, trouble: null });
    }
    case 'cancel':
      return show(state, { ...screen, cancelling: true });
    case 'pay':
      // Another try is another order; only where nothing was booked by this one.
      return mayTryAgain(screen) ? show(state, payScreen({ ...screen.wish, key: action.key })) : state;
    case 'refused':
      // Something else is due by now, or nothing: it is shown anew.
      return DUE_IS_ANOTHER.has(action.fault)
        ? show(withoutDue(state), { ...dueScreen(screen.wish.visitId, typedBefore(state)), changed: true })
        : show(state, { ...screen, trouble: action.fault });
    default:
      return state;
  }
}

function onMail(state: KioskState, screen: ScreenAt<'mail'>, action: ScreenAction): KioskState {
  switch (action.type) {
    case 'send':
      return isAddress(screen.typed)
        ? show(state, { ...screen, sending: true, trouble: null })
        : show(state, { ...screen, trouble: 'bad-input' });
    case 'mail-taken':
      return leave(state, screen.payment.paidUntil, true);
    case 'refused':
      return show(state, { ...screen, sending: false, trouble: action.fault });
    default: {
      if (screen.sending) return state;
      const typed = typedText(screen.typed, action, LONGEST_ADDRESS);
      return typed === screen.typed ? state : show(state, { ...screen, typed, trouble: null });
    }
  }
}

const DUE_IS_ANOTHER: ReadonlySet<KioskFault> = new Set([
  'nothing-due',
  'amount-changed',
  'payment-under-way',
  'visit-ended',
  'bad-input',
  'not-found',
]);

/** Whether nothing was booked by this order, and nothing will be. */
export function mayTryAgain({ payment, trouble }: ScreenAt<'pay'>): boolean {
  if (payment) return ['declined', 'cancelled', 'reversed'].includes(payment.state);
  return trouble === 'terminal-busy' || trouble === 'terminal-away' || trouble === 'no-terminal';
}

/** Whether the edge or the terminal works on this order: nobody is sent away from it. */
export function isWorking({ payment, trouble }: ScreenAt<'pay'>): boolean {
  if (!payment) return trouble === null;
  return payment.state === 'created' || payment.state === 'sent' || payment.state === 'approved';
}

/** Whole enough to be sent a receipt. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}

function show(state: KioskState, screen: Screen): KioskState {
  return { ...state, screen };
}

function goTo(state: KioskState, screen: Screen): KioskState {
  return { ...state, screen, trail: [...state.trail, state.screen] };
}

function atStart(state: KioskState): KioskState {
  return { ...state, screen: { at: 'start' }, trail: [], helping: false, idleSeconds: null };
}

/** One screen back, past those that were only on the way. */
function goBack(state: KioskState): KioskState {
  const before = state.trail.at(-1);
  if (!before) return atStart(state);
  const trail = state.trail.slice(0, -1);
  if (before.at === 'due') return { ...state, trail, screen: dueScreen(before.visitId, before.typed) };
  if (before.at === 'plate') return { ...state, trail, screen: plateScreen(before.typed) };
  return { ...state, trail, screen: before };
}

function backTo(state: KioskState, at: Screen['at']): KioskState | null {
  const place = state.trail.findLastIndex((screen) => screen.at === at);
  return place < 0 ? null : goBack({ ...state, trail: state.trail.slice(0, place + 1) });
}

function plateScreen(typed: string): Screen {
  return { at: 'plate', typed, found: null, asked: false, trouble: null };
}

function browseScreen(): Screen {
  return { at: 'browse', time: null, visits: null, trouble: null };
}

function dueScreen(visitId: string, typed: string): ScreenAt<'due'> {
  return { at: 'due', visitId, typed, due: null, changed: false, trouble: null };
}

function payScreen(wish: PayWish): Screen {
  return { at: 'pay', wish, payment: null, cancelling: false, trouble: null };
}

function showFound(state: KioskState, found: Found): KioskState {
  return found.visits.length === 0
    ? goTo(state, { at: 'not-found', plate: found.plate })
    : goTo(state, { at: 'choose', found });
}

function pick(state: KioskState, visit: KioskVisit): KioskState {
  return goTo(state, dueScreen(visit.id, typedBefore(state)));
}

/** What the driver has typed of the plate on the way here. */
function typedBefore({ screen, trail }: KioskState): string {
  for (const each of [screen, ...trail.toReversed()]) {
    if (each.at === 'plate' || each.at === 'name-plate' || each.at === 'due') return each.typed;
    if (each.at === 'browse') return '';
  }
  return '';
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
  const changed = before?.due
    ? before.changed || before.due.amountMinor !== due.amountMinor
    : (before?.changed ?? false);
  return show(state, { at: 'due', visitId: due.visit.id, typed: screen.typed, due, changed, trouble: null });
}

/** The way back does not lead to what was due before. */
function withoutDue(state: KioskState): KioskState {
  return { ...state, trail: state.trail.filter(({ at }) => at !== 'due' && at !== 'days') };
}

function buyDays(state: KioskState, due: KioskDue | null): KioskState {
  if (!due || due.dayPriceMinor === null) return state;
  return goTo(state, { at: 'days', due, dayPriceMinor: due.dayPriceMinor, quantity: 1 });
}

function payDue(state: KioskState, due: KioskDue | null, key: string): KioskState {
  return due?.standing === 'due' ? goTo(state, payScreen(wishOf(due, key))) : state;
}

function wishOf({ visit, amountMinor, currency }: KioskDue, key: string): PayWish {
  return { key, visitId: visit.id, amountMinor, currency, quantity: null };
}

function leave(state: KioskState, paidUntil: string | null, mailed: boolean): KioskState {
  return { ...state, trail: [], helping: false, screen: { at: 'leave', paidUntil, mailed } };
}

function typedPlate(typed: string, action: ScreenAction): string {
  return action.type === 'key'
    ? normalisePlate(typed + action.character).slice(0, LONGEST_PLATE)
    : typedText(typed, action, LONGEST_PLATE);
}

function typedText(typed: string, action: ScreenAction, longest: number): string {
  switch (action.type) {
    case 'key':
      return (typed + action.character).slice(0, longest);
    case 'erase':
      return typed.slice(0, -1);
    case 'clear':
      return '';
    default:
      return typed;
  }
}

function sameTime(one: EntryTime, other: EntryTime | null): boolean {
  return other !== null && one.day === other.day && one.hours.join() === other.hours.join();
}
