import { backoffMs } from '@hlid/protocol/base/backoff';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import {
  type Credentials,
  chooseChallenge,
  type DigestChallenge,
  digestAuthorization,
} from '../base/http-digest.ts';
import type { AskRelay, RelayAnswer, RelayRequest } from './ask-relay.ts';
import type { GateLogin } from './gate.ts';

/**
 * The pause after a wrong password, which doubles after each further one: makers lock an account after a
 * handful, and a locked device moves no gate.
 */
const QUIET = { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS };

/** A line with a login, and how it is with that. */
export interface RelayLogin {
  ask: AskRelay;
  login: GateLogin;
}

/** The login at a device where it can be tried without moving anything. */
export interface DigestLogin extends RelayLogin {
  login: Required<GateLogin>;
  /** Tries the login now. */
  check(): Promise<GateOutcome>;
}

/**
 * The same line with HTTP Digest. A request that was refused without a login moved nothing, so it is sent
 * again with one. A nonce is used for as long as the device accepts it.
 *
 * @param probe what an account may ask and moves nothing
 */
export function withDigest(
  ask: AskRelay,
  credentials: Credentials,
  probe: RelayRequest,
  now: () => number = () => performance.now(),
): DigestLogin {
  let known: { challenge: DigestChallenge; count: number } | null = null;
  let refusedInARow = 0;
  let isLoggedIn = false;
  let quietUntil = Number.NEGATIVE_INFINITY;

  function withLogin(request: RelayRequest): RelayRequest {
    if (!known) return request;
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const place = { method, target: `${pathname}${search}`, count: ++known.count };
    const authorization = digestAuthorization(known.challenge, credentials, place);
    return { ...request, headers: { ...request.headers, authorization } };
  }

  /** Takes up what the device asks for. @returns whether another try makes sense */
  function learn(answer: RelayAnswer): boolean {
    const challenge = chooseChallenge(answer.challenges);
    // The same nonce once more: it is the password that it does not like.
    const fresh = challenge !== null && challenge.nonce !== known?.challenge.nonce;
    known = challenge && { challenge, count: 0 };
    return fresh || challenge?.stale === true;
  }

  function refuseLogin(): void {
    known = null;
    refusedInARow++;
    quietUntil = now() + backoffMs(refusedInARow, QUIET);
    isLoggedIn = false;
  }

  function enter({ status }: RelayAnswer): void {
    if (status === 0) return;
    refusedInARow = 0;
    isLoggedIn = true;
  }

  const askWithLogin: AskRelay = async (request) => {
    if (now() < quietUntil) return LOGIN_REFUSED;
    const first = await ask(withLogin(request));
    if (first.status !== 401) {
      enter(first);
      return first;
    }
    if (!learn(first)) {
      refuseLogin();
      return first;
    }
    const second = await ask(withLogin(request));
    if (second.status === 401 && !chooseChallenge(second.challenges)?.stale) refuseLogin();
    else enter(second);
    return second;
  };

  async function check(): Promise<GateOutcome> {
    quietUntil = Number.NEGATIVE_INFINITY;
    return (await askWithLogin(probe)).outcome;
  }

  return {
    ask: askWithLogin,
    login: {
      state: () => (refusedInARow > 0 ? 'refused' : isLoggedIn ? 'ok' : 'unknown'),
      tryAgain: () => void check(),
    },
    check,
  };
}

const LOGIN_REFUSED: RelayAnswer = {
  outcome: 'refused',
  status: 401,
  text: '',
  whole: true,
  challenges: [],
};
