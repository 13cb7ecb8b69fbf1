import { every } from '@hlid/ui/every';
import { useEffect, useReducer } from 'react';
import { usePage } from '../../pay-context.ts';
import {
  deviceSecret,
  readIdentification,
  type StoredIdentification,
  writeIdentification,
} from '../identity-storage.ts';
import { authenticate, begin, check, type Status } from './identity-cloud.ts';
import { firstIdentityState, nextIdentityState, readInput } from './identity-state.ts';

const RETRY_MS = 3000;
/** Long enough to see the code before the phone rings. */
const CODE_FIRST_MS = 1000;

interface Options {
  purpose: StoredIdentification['purpose'];
  token: string | null;
  onOnline: (online: boolean) => void;
  /** @param token of a login; null: the identity is connected */
  onDone: (token: string | null) => void;
  /** The driver who was connecting an identity is not logged in any more. */
  onLoggedOut: () => void;
}

/** Identifies a person by the three calls, and continues after a reload. */
export function useIdentity({ purpose, token, onOnline, onDone, onLoggedOut }: Options) {
  const { language } = usePage();
  const [state, dispatch] = useReducer(nextIdentityState, null, () => {
    const stored = readIdentification();
    return firstIdentityState(stored?.purpose === purpose ? stored.ringing : null);
  });
  const { begun, isSending, ringing, ended } = state;
  useEffect(() => writeIdentification(ringing && { purpose, ringing }), [purpose, ringing]);
  useEffect(() => () => writeIdentification(null), []);

  const isToBegin = begun === null && ringing === null && ended === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call keeps what it began with.
  useEffect(() => {
    if (!isToBegin) return;
    const stop = every(RETRY_MS, async (signal) => {
      const answer = await begin(purpose, token, signal);
      if (signal.aborted) return;
      onOnline(answer.kind !== 'lost');
      if (answer.kind === 'lost') return;
      stop();
      if (answer.kind === 'ok') dispatch({ type: 'begun', begun: answer.value });
      else if (answer.kind === 'gone') onLoggedOut();
      else refuse(answer);
    });
    return stop;
  }, [isToBegin]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a call keeps what it began with.
  useEffect(() => {
    const input = readInput(state);
    if (!isSending || begun === null || input === null) return;
    // It is not repeated automatically: each start counts, and it is unknown if a lost one did.
    const ending = new AbortController();
    const start = { session: begun.session, ...input, language, device: deviceSecret() };
    void authenticate(start, ending.signal).then((answer) => {
      if (ending.signal.aborted) return;
      onOnline(answer.kind !== 'lost');
      if (answer.kind === 'ok') dispatch({ type: 'ringing', ringing: answer.value });
      else if (answer.kind === 'gone') dispatch({ type: 'gone' });
      else refuse(answer);
    });
    return () => ending.abort();
  }, [isSending, begun]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: polls belong to one session.
  useEffect(() => {
    if (ringing === null) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const later = (ms: number) => {
      timer = setTimeout(poll, ms);
    };
    const poll = async () => {
      const answer = await check(ringing, ending.signal);
      if (ending.signal.aborted) return;
      onOnline(answer.kind !== 'lost');
      if (answer.kind === 'ok') onStatus(answer.value);
      else if (answer.kind === 'too-many') later(answer.retryAfterSeconds * 1000);
      else if (answer.kind === 'lost') later(RETRY_MS);
      // The answer with the result was lost, or another device has started a login.
      else dispatch({ type: 'ended', state: 'unknown' });
    };
    const onStatus = ({ state: status, waitSeconds, token: issued }: Status) => {
      if (status === 'pending') return later(waitSeconds * 1000);
      dispatch({ type: 'ended', state: status });
      if (status === 'success') onDone(issued);
    };
    later(CODE_FIRST_MS);
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [ringing]);

  function refuse(answer: { kind: 'bad-input' | 'lost' } | { kind: 'too-many'; retryAfterSeconds: number }) {
    dispatch({
      type: 'refused',
      notice:
        answer.kind === 'too-many'
          ? { is: 'too-many', seconds: answer.retryAfterSeconds }
          : { is: answer.kind === 'lost' ? 'failed' : answer.kind },
    });
  }
  return { state, dispatch };
}
