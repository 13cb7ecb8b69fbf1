import { createHash, randomBytes } from 'node:crypto';
import {
  AUDKENNI_CLIENT,
  type AudkenniPerson,
  AudkenniRealm,
  type AudkenniRequest,
  formOf,
  type Reply,
  type Ringing,
} from './audkenni-realm.ts';

const AUTHENTICATE = '/sso/json/realms/root/realms/audkenni/authenticate';
const WAIT_MS = 2000;
/** The prompts of the journey `api_v202`. */
const PROMPTS = [
  'Sláðu inn clientId',
  'Sláðu inn Related Party',
  'Sláðu inn titil',
  'Sláðu inn símanúmer eða kennitölu',
  'Sláðu inn skilaboð til notanda',
  'Nota vchoice (true eða false)',
  'Nota confirmMessage (true eða false)',
  'Sláðu inn Hash gildi',
];
/** Its order is not the same everywhere. */
const CHOICES = ['card', 'app', 'sim'];

interface Callback {
  type: string;
  input?: { name: string; value: unknown }[];
}

/**
 * Auðkenni's REST journey: callbacks, polling, session, and OAuth 2.0 with PKCE. It has two machines behind a load
 * balancer, so that a client must send its cookie back.
 */
export class AudkenniRestServer {
  readonly realm = new AudkenniRealm();
  readonly #journeys = new Map<string, { ringing: Ringing; polledAt: number } | null>();
  readonly #sessions = new Map<string, AudkenniPerson>();
  readonly #codes = new Map<string, { person: AudkenniPerson; challenge: string }>();
  /** The state in the redirect, in place of the one that was sent. */
  wrongState: string | null = null;
  /** Another journey than is documented. */
  otherQuestions: 'none' | 'more' | 'fewer' = 'none';

  async start(): Promise<void> {
    await this.realm.start((request) => {
      const { pathname, search } = request.url;
      if (pathname === AUTHENTICATE && search === '')
        return { step: 'poll', reply: () => this.#poll(request) };
      if (pathname === AUTHENTICATE) {
        return request.text === '{}'
          ? { step: 'start', reply: () => this.#begin(request) }
          : { step: 'ring', reply: () => this.#ring(request) };
      }
      switch (pathname.slice(this.realm.path.length)) {
        case '/authorize':
          return { step: 'authorize', reply: () => this.#authorize(request) };
        case '/access_token':
          return { step: 'token', reply: () => this.#token(request) };
        case '/userinfo':
          return { step: 'person', reply: () => this.realm.person(request) };
        default:
          return null;
      }
    });
  }

  /** The mistake in the headers of a journey's request; null: none. */
  #mistakeOf({ method, headers, url }: AudkenniRequest): string | null {
    if (method !== 'POST') return 'a journey by another method than POST';
    if (headers['content-type'] !== 'application/json') return 'a journey not in JSON';
    if (headers['accept-api-version'] !== 'resource=2.0,protocol=1.0') return 'another Accept-API-Version';
    const query = url.search !== '' && url.search !== '?authIndexType=service&authIndexValue=api_v202';
    return query ? `the journey ${url.search}` : null;
  }

  #begin(request: AudkenniRequest): Reply {
    const mistake = this.#mistakeOf(request);
    if (mistake !== null) return this.realm.refuse(mistake);
    const prompts = { none: PROMPTS, more: [...PROMPTS, 'Sláðu inn eitthvað nýtt'], fewer: PROMPTS.slice(1) }[
      this.otherQuestions
    ];
    const callbacks = prompts.map((prompt, at) => ({
      type: 'NameCallback',
      output: [{ name: 'prompt', value: prompt }],
      input: [{ name: `IDToken${at + 1}`, value: '' }],
      _id: at,
    }));
    const choice = {
      type: 'ChoiceCallback',
      output: [
        { name: 'prompt', value: 'Veldu auðkenningarleið' },
        { name: 'choices', value: CHOICES },
        { name: 'defaultChoice', value: 0 },
      ],
      input: [{ name: `IDToken${prompts.length + 1}`, value: 0 }],
      _id: prompts.length,
    };
    const authId = this.#journey(null);
    const headers = { 'set-cookie': ['audssossolb=03; Path=/; Secure; HttpOnly'] };
    return { status: 200, body: { authId, callbacks: [...callbacks, choice] }, headers };
  }

  #ring(request: AudkenniRequest): Reply {
    const { authId, callbacks } = JSON.parse(request.text) as { authId: string; callbacks: Callback[] };
    const mistake = this.#mistakeOf(request) ?? this.#strangerAt(request, authId);
    if (mistake !== null) return this.realm.refuse(mistake);
    if (this.#journeys.get(authId) !== null) return this.realm.refuse('a journey that rings already');
    const names = callbacks.map(({ input }) => input?.[0]?.name);
    if (names.join() !== [...PROMPTS, ''].map((_, at) => `IDToken${at + 1}`).join()) {
      return this.realm.refuse(`the callbacks ${names}`);
    }
    const values = callbacks.map(({ input }) => input?.[0]?.value);
    const [client, , , user, text, vchoice, confirm, hash, choice] = values;
    if (client !== AUDKENNI_CLIENT.clientId) return failed('InvalidClientId');
    if (vchoice !== 'false' || confirm !== 'false') return this.realm.refuse('vchoice or confirmMessage');
    const method = CHOICES[Number(choice)] ?? '';
    const form = method === 'sim' ? /^\d{7}$/ : /^\d{10}$/;
    if (!form.test(String(user))) return this.realm.refuse(`a user of another form for ${method}`);
    const ringing = this.realm.ring(method, String(user), String(text), String(hash));
    if (ringing === null) return failed(method === 'sim' ? 'mssp_105' : 'audkenni_404');
    return this.#polling(ringing, authId);
  }

  #poll(request: AudkenniRequest): Reply {
    const { authId, callbacks } = JSON.parse(request.text) as { authId: string; callbacks: Callback[] };
    const mistake = this.#mistakeOf(request) ?? this.#strangerAt(request, authId);
    if (mistake !== null) return this.realm.refuse(mistake);
    const journey = this.#journeys.get(authId) ?? null;
    if (journey === null) return this.realm.refuse('a poll before the phone rings');
    if (callbacks.map(({ type }) => type).join() !== 'PollingWaitCallback') {
      return this.realm.refuse('a poll without the polling callback');
    }
    if (this.realm.now - journey.polledAt < WAIT_MS) return this.realm.refuse('a poll that comes too fast');
    const answer = this.realm.answerOf(journey.ringing);
    if (answer === null) return this.#polling(journey.ringing, authId);
    this.#journeys.delete(authId);
    if (answer !== 'accept') return failed(answer);
    const tokenId = `${randomBytes(16).toString('base64url')}.*AAJTSQACMDI*`;
    this.#sessions.set(tokenId, journey.ringing.person);
    return {
      status: 200,
      body: { tokenId, successUrl: '/sso/console', realm: '/audkenni' },
      headers: { 'set-cookie': [`audsso=${tokenId}; Path=/; Secure; HttpOnly`] },
    };
  }

  /** The next id of the journey; the one before is good no more. */
  #polling(ringing: Ringing, before: string): Reply {
    this.#journeys.delete(before);
    const authId = this.#journey({ ringing, polledAt: this.realm.now });
    const output = [
      { name: 'waitTime', value: String(WAIT_MS) },
      { name: 'message', value: 'templates.user.LoginTemplate.pollingwaitmessage' },
    ];
    return { status: 200, body: { authId, callbacks: [{ type: 'PollingWaitCallback', output }] } };
  }

  #journey(state: { ringing: Ringing; polledAt: number } | null): string {
    const authId = randomBytes(24).toString('base64url');
    this.#journeys.set(authId, state);
    return authId;
  }

  #strangerAt({ headers }: AudkenniRequest, authId: string): string | null {
    if (!cookiesOf(headers.cookie).includes('audssossolb=03'))
      return 'without the cookie of the load balancer';
    return this.#journeys.has(authId) ? null : 'an unknown authId';
  }

  #authorize({ method, url, headers }: AudkenniRequest): Reply {
    const cookies = cookiesOf(headers.cookie);
    const tokenId = cookies.find((cookie) => cookie.startsWith('audsso='))?.slice('audsso='.length) ?? '';
    const person = this.#sessions.get(tokenId);
    const query = Object.fromEntries(url.searchParams);
    const {
      client_id,
      redirect_uri,
      response_type,
      code_challenge_method,
      state,
      code_challenge = '',
    } = query;
    if (method !== 'GET') return this.realm.refuse('authorize by another method than GET');
    if (!cookies.includes('audssossolb=03'))
      return this.realm.refuse('without the cookie of the load balancer');
    if (response_type !== 'code' || code_challenge_method !== 'S256' || state === undefined) {
      return this.realm.refuse('authorize without code, S256 or state');
    }
    if (client_id !== AUDKENNI_CLIENT.clientId || redirect_uri !== AUDKENNI_CLIENT.redirectUrl) {
      return this.realm.refuse('authorize for another client or redirect', {
        error: 'redirect_uri_mismatch',
      });
    }
    const target = new URL(redirect_uri);
    if (person === undefined) target.searchParams.set('error', 'login_required');
    else {
      const code = randomBytes(16).toString('base64url');
      this.#codes.set(code, { person, challenge: code_challenge });
      target.searchParams.set('code', code);
    }
    target.searchParams.set('state', this.wrongState ?? state);
    return { status: 302, headers: { location: target.href } };
  }

  #token(request: AudkenniRequest): Reply {
    const form = Object.fromEntries(formOf(request) ?? []);
    const { client_id, client_secret, redirect_uri, grant_type, code = '', code_verifier = '' } = form;
    if (grant_type !== 'authorization_code') return this.realm.refuse(`the grant ${grant_type}`);
    if (client_id !== AUDKENNI_CLIENT.clientId || client_secret !== AUDKENNI_CLIENT.clientSecret) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    const granted = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    if (granted === undefined || granted.challenge !== challenge || code_verifier.length < 43) {
      return this.realm.refuse('a code without its verifier', { error: 'invalid_grant' });
    }
    if (redirect_uri !== AUDKENNI_CLIENT.redirectUrl) return this.realm.refuse('another redirect');
    return this.realm.issueToken(granted.person);
  }
}

function failed(code: string): Reply {
  const body = { code: 401, reason: 'Unauthorized', message: code, detail: { failureUrl: code } };
  return { status: 401, body };
}

function cookiesOf(header: string | undefined): string[] {
  return header?.split('; ') ?? [];
}
