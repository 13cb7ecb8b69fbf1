import type { Language } from '@hlid/protocol/base/language';
import type {
  Driver,
  DriverCaps,
  DriverFault,
  DriverSession,
  DriverSettings,
} from '@hlid/protocol/pages/driver-api';
import type { CardToStore } from '../driver-storage.ts';
import type { StoredIdentification } from './identity-storage.ts';

/** The notice on a step. */
export type DriverNotice = DriverFault | 'failed' | 'logged-out';

type DriverStep =
  | { at: 'loading' }
  | { at: 'login'; email: string; notice: DriverNotice | null }
  | { at: 'sent'; email: string }
  /** A mailed link is used by a press: programs that look through mails open it too. */
  | { at: 'enter'; link: string }
  /** The login by electronic identity, with its own state in `identity`, and the driver who connects one. */
  | { at: 'identity'; driver: Driver | null; purpose: StoredIdentification['purpose'] }
  | { at: 'home'; driver: Driver; notice: DriverNotice | null }
  | { at: 'caps'; driver: Driver; caps: DriverCaps; notice: DriverNotice | null }
  | { at: 'confirm'; driver: Driver; what: ToConfirm; notice: DriverNotice | null }
  | { at: 'erased' };

export type DriverStepAt<At extends DriverStep['at']> = Extract<DriverStep, { at: At }>;

/** The acts that cannot be undone. */
export type ToConfirm = { do: 'delete-card' } | { do: 'remove'; plate: string } | { do: 'erase' };

/** The present call of the page to the cloud. Each may be repeated. */
export type DriverCall =
  | { do: 'open'; link: string }
  | { do: 'me' }
  | { do: 'login'; email: string }
  | { do: 'settings'; settings: DriverSettings }
  | { do: 'store'; card: CardToStore }
  /** Logs in with the token of an electronic identity. */
  | { do: 'enter'; token: string }
  | { do: 'disconnect' }
  | { do: 'add'; plate: string }
  | { do: 'logout' }
  | ToConfirm;

export interface DriverState {
  language: Language;
  /** The last call reached the cloud. */
  online: boolean;
  token: string | null;
  /** Null: nothing is asked. */
  call: DriverCall | null;
  step: DriverStep;
}

export type DriverAction =
  | { type: 'language'; language: Language }
  | { type: 'online'; online: boolean }
  | { type: 'typed'; email: string }
  /** Asks the cloud, unless something is asked already. */
  | { type: 'call'; call: DriverCall }
  | { type: 'edit-caps' }
  | { type: 'confirm'; what: ToConfirm }
  /** Begins a login by electronic identity, or a connection where the driver is logged in. */
  | { type: 'identify' }
  /** @property token of a login; null: the identity is connected */
  | { type: 'identified'; token: string | null }
  | { type: 'back' }
  | { type: 'opened'; session: Pick<DriverSession, 'token' | 'driver'>; card: CardToStore | null }
  | { type: 'driver'; driver: Driver; notice?: DriverNotice }
  | { type: 'sent' }
  | { type: 'erased' }
  /** The driver logged out, or the token is no longer valid. */
  | { type: 'logged-out'; notice: DriverNotice | null }
  | { type: 'refused'; fault: DriverFault | 'failed' };

/**
 * @param link the secret of a mailed link; it counts more than a token
 * @param identifying what a login by electronic identity that goes on was for
 */
export function firstDriverState(
  language: Language,
  {
    link,
    token,
    identifying = null,
  }: { link: string | null; token: string | null; identifying?: StoredIdentification['purpose'] | null },
): DriverState {
  const state = { language, online: true, token };
  if (link === null && identifying !== null && (identifying === 'driver' || token !== null)) {
    return { ...state, call: null, step: { at: 'identity', driver: null, purpose: identifying } };
  }
  if (link !== null) return { ...state, token: null, call: null, step: { at: 'enter', link } };
  if (token !== null) return { ...state, call: { do: 'me' }, step: { at: 'loading' } };
  return { ...state, call: null, step: loginStep('') };
}

/** The state of the page after an action. */
export function nextDriverState(state: DriverState, action: DriverAction): DriverState {
  const { step } = state;
  switch (action.type) {
    case 'language':
      return { ...state, language: action.language };
    case 'online':
      return state.online === action.online ? state : { ...state, online: action.online };
    case 'typed':
      return step.at === 'login' ? { ...state, step: loginStep(action.email) } : state;
    case 'call':
      return state.call === null ? { ...state, call: action.call, step: quiet(step) } : state;
    case 'edit-caps':
      return onHome(state, (driver) =>
        driver.caps === null ? null : { at: 'caps', driver, caps: driver.caps, notice: null },
      );
    case 'confirm':
      return onHome(state, (driver) => ({ at: 'confirm', driver, what: action.what, notice: null }));
    case 'identify':
      return onIdentify(state);
    case 'identified':
      return action.token === null
        ? load(state)
        : { ...state, call: { do: 'enter', token: action.token }, step: { at: 'loading' } };
    case 'back':
      return goBack(state);
    case 'opened':
      return onOpened(state, action);
    case 'driver':
      return showHome(state, action.driver, action.notice ?? null);
    case 'sent':
      return step.at === 'login' ? { ...state, call: null, step: { at: 'sent', email: step.email } } : state;
    case 'erased':
      return { ...state, token: null, call: null, step: { at: 'erased' } };
    case 'logged-out':
      return { ...state, token: null, call: null, step: loginStep('', action.notice) };
    case 'refused':
      return onRefused(state, action.fault);
    default:
      return action satisfies never;
  }
}

function onIdentify(state: DriverState): DriverState {
  const { step, call } = state;
  if (call !== null || (step.at !== 'login' && step.at !== 'home')) return state;
  const [driver, purpose] =
    step.at === 'home' ? [step.driver, 'connect' as const] : [null, 'driver' as const];
  return { ...state, step: { at: 'identity', driver, purpose } };
}

/** Shows the driver as the cloud has them now. */
function load(state: DriverState): DriverState {
  return { ...state, call: { do: 'me' }, step: { at: 'loading' } };
}

function onOpened(
  state: DriverState,
  { session, card }: Extract<DriverAction, { type: 'opened' }>,
): DriverState {
  const { token, driver } = session;
  const home = showHome({ ...state, token, language: driver.language }, driver, null);
  // Another driver's card stays out of this account.
  const isTheirs = card !== null && card.email.toLowerCase() === driver.email.toLowerCase();
  return isTheirs ? { ...home, call: { do: 'store', card }, step: { at: 'loading' } } : home;
}

function onRefused(state: DriverState, fault: DriverNotice): DriverState {
  const { step } = state;
  if (!('notice' in step)) {
    // A token that the cloud does not refuse stays valid; the page can be loaded again.
    return { ...state, call: null, step: loginStep('', fault) };
  }
  return { ...state, call: null, step: { ...step, notice: fault } };
}

function onHome(state: DriverState, stepOf: (driver: Driver) => DriverStep | null): DriverState {
  const step = state.step.at === 'home' && state.call === null ? stepOf(state.step.driver) : null;
  return step === null ? state : { ...state, step };
}

function goBack(state: DriverState): DriverState {
  const { step, call } = state;
  if (step.at === 'sent') return { ...state, step: loginStep(step.email) };
  if (step.at === 'identity') {
    if (step.purpose === 'driver') return { ...state, step: loginStep('') };
    return step.driver === null ? load(state) : showHome(state, step.driver, null);
  }
  if (call !== null || (step.at !== 'caps' && step.at !== 'confirm')) return state;
  return showHome(state, step.driver, null);
}

function showHome(state: DriverState, driver: Driver, notice: DriverNotice | null): DriverState {
  return { ...state, call: null, step: { at: 'home', driver, notice } };
}

function loginStep(email: string, notice: DriverNotice | null = null): DriverStep {
  return { at: 'login', email, notice };
}

/** The step without the notice of the call before. */
function quiet(step: DriverStep): DriverStep {
  return 'notice' in step ? { ...step, notice: null } : step;
}
