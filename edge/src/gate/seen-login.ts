import type { AskRelay } from './ask-relay.ts';
import type { RelayLogin } from './relay-login.ts';

/**
 * The same line, of a device that gets our login with each request, by a key or a password in it: its answer
 * shows whether the login is accepted. Each request is another try, and nothing can be asked that moves
 * nothing.
 */
export function withSeenLogin(ask: AskRelay): RelayLogin {
  let state: ReturnType<RelayLogin['login']['state']> = 'unknown';
  return {
    async ask(request) {
      const answer = await ask(request);
      if (answer.status === 401 || answer.status === 403) state = 'refused';
      else if (answer.outcome === 'done') state = 'ok';
      // No answer at all is worse, and is reported instead.
      else if (answer.status === 0) state = 'unknown';
      return answer;
    },
    login: { state: () => state },
  };
}
