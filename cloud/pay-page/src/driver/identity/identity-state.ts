import type { Language } from '@hlid/protocol/base/language';
import type { ElectronicIdState } from '@hlid/protocol/words/electronic-id-words';

/** A login, or a connection with the account that is logged in. */
export type IdentityPurpose = 'driver' | 'connect';

type Labels = Record<Language, string>;

/** A session and its methods of identification, as the cloud describes them. */
export interface Begun {
  session: string;
  methods: {
    id: string;
    label: Labels;
    inputs: {
      name: 'phone' | 'kennitala';
      type: string;
      inputMode: 'tel' | 'numeric';
      label: Labels;
      pattern: string;
      maxLength: number;
    }[];
  }[];
}

/** A phone rings, or is about to. */
export interface Ringing {
  session: string;
  code: string;
  bearerToken: string;
}

type IdentityNotice = { is: 'bad-input' } | { is: 'failed' } | { is: 'too-many'; seconds: number };

export interface IdentityState {
  /** The session; null: it must be started, or has ended. */
  begun: Begun | null;
  /** The chosen method; null: the first one. */
  method: string | null;
  typed: string;
  /** A request to identify the driver is under way. */
  isSending: boolean;
  ringing: Ringing | null;
  /** How it has ended. */
  ended: Exclude<ElectronicIdState, 'pending'> | null;
  notice: IdentityNotice | null;
}

export type IdentityAction =
  | { type: 'begun'; begun: Begun }
  | { type: 'method'; method: string }
  | { type: 'typed'; typed: string }
  | { type: 'send' }
  | { type: 'refused'; notice: IdentityNotice }
  | { type: 'ringing'; ringing: Ringing }
  /** The session has ended before a person was named. */
  | { type: 'gone' }
  | { type: 'ended'; state: Exclude<ElectronicIdState, 'pending'> }
  | { type: 'again' };

/** @param ringing what was going on before a reload */
export function firstIdentityState(ringing: Ringing | null): IdentityState {
  return { begun: null, method: null, typed: '', isSending: false, ringing, ended: null, notice: null };
}

export function nextIdentityState(state: IdentityState, action: IdentityAction): IdentityState {
  switch (action.type) {
    case 'begun':
      return { ...state, begun: action.begun };
    case 'method':
      return { ...state, method: action.method, typed: '', notice: null };
    case 'typed':
      return { ...state, typed: action.typed, notice: null };
    case 'send':
      return readInput(state) === null
        ? { ...state, notice: { is: 'bad-input' } }
        : { ...state, isSending: true, notice: null };
    case 'refused': {
      // If the answer was lost, the session may be used up.
      const begun = action.notice.is === 'failed' ? null : state.begun;
      return { ...state, begun, isSending: false, notice: action.notice };
    }
    case 'ringing':
      return { ...state, begun: null, isSending: false, ringing: action.ringing };
    case 'gone':
      return { ...state, begun: null };
    case 'ended':
      return { ...state, ringing: null, ended: action.state };
    case 'again':
      return { ...state, begun: null, ringing: null, ended: null, notice: null };
    default:
      return action satisfies never;
  }
}

/** The method that is chosen; null: there is none. */
export function chosenMethod({ begun, method }: IdentityState): Begun['methods'][number] | null {
  const methods = begun?.methods ?? [];
  return methods.find(({ id }) => id === method) ?? methods[0] ?? null;
}

/** The input to send; null: it does not fit the method. */
export function readInput(state: IdentityState): { method: string; input: string; typed: string } | null {
  const method = chosenMethod(state);
  const [input] = method?.inputs ?? [];
  const typed = state.typed.trim();
  if (method === null || input === undefined) return null;
  return new RegExp(`^(?:${input.pattern})$`, 'u').test(typed)
    ? { method: method.id, input: input.name, typed }
    : null;
}
