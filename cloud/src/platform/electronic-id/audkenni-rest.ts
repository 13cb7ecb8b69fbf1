import { createHash, randomBytes } from 'node:crypto';
import { isFault } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import { failureOf } from './audkenni-errors.ts';
import { type AudkenniAnswer, AudkenniHttp } from './audkenni-http.ts';
import type { ElectronicId, Identification, Progress, ProviderState } from './electronic-id.ts';
import type { ElectronicIdConfig } from './electronic-id-config.ts';

type Settings = Extract<ElectronicIdConfig, { kind: 'audkenni-rest' }>;

const CallbackSchema = z.looseObject({
  type: z.string(),
  output: z.array(z.object({ name: z.string(), value: z.unknown() })),
  input: z.array(z.object({ name: z.string(), value: z.unknown() })).optional(),
});
type Callback = z.infer<typeof CallbackSchema>;
const StepSchema = z.object({ authId: z.string().min(1), callbacks: z.array(CallbackSchema).min(1) });
const DoneSchema = z.object({ tokenId: z.string().min(1) });
const ErrorSchema = z.object({
  message: z.string().optional(),
  detail: z.object({ failureUrl: z.string().optional() }).optional(),
});

/**
 * The inputs that the first step of a journey expects, in its order. The last one is a choice among
 * authenticators.
 */
const QUESTIONS = {
  api_v200: ['client', 'related', 'user', 'text', 'vchoice', 'confirm', 'hash', 'authenticator'],
  api_v202: ['client', 'related', 'title', 'user', 'text', 'vchoice', 'confirm', 'hash', 'authenticator'],
} as const;

/** The time between polls if the provider gives none, and after a poll that was lost. */
const POLL_SECONDS = 2;

const HEADERS = { 'accept-api-version': 'resource=2.0,protocol=1.0' };

/**
 * Auðkenni's REST journey ("SIM/APP Authentication using REST API"): an empty POST starts it, its callbacks are
 * filled in, and a polling callback is sent back until the person has answered. Then the session (`tokenId`) gives a
 * code (PKCE), the code a token, and the token the person.
 */
export class AudkenniRest implements ElectronicId {
  readonly kind = 'audkenni-rest';
  readonly methods = ['sim', 'app'] as const;
  readonly #settings: Settings;
  readonly #http: AudkenniHttp;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#http = new AudkenniHttp(settings.url);
  }

  async start(identification: Identification, signal: AbortSignal): Promise<Progress> {
    const journey = `${this.#http.authenticate}?authIndexType=service&authIndexValue=${this.#settings.apiVersion}`;
    let sent = false;
    try {
      const first = await this.#http.send('POST', journey, { json: {}, headers: HEADERS }, signal);
      const step = StepSchema.safeParse(first.body);
      if (first.status !== 200 || !step.success) return failureIn(first);
      const callbacks = this.#answer(step.data.callbacks, identification);
      if (callbacks === null) return { kind: 'failed', reason: 'error', code: 'unexpected_callbacks' };
      sent = true;
      const cookies = mergeCookies('', first.cookies);
      const answer = await this.#http.send(
        'POST',
        journey,
        { json: { authId: step.data.authId, callbacks }, headers: { ...HEADERS, ...cookieHeader(cookies) } },
        signal,
      );
      return await this.#read(answer, cookies, signal);
    } catch (error) {
      const reason = sent && !isFault(error, 'link-refused') ? 'unknown' : 'error';
      return { kind: 'failed', reason, code: 'unreachable' };
    }
  }

  async check(state: ProviderState, signal: AbortSignal): Promise<Progress> {
    const { authId, callbacks, tokenId } = state;
    const cookies = String(state['cookies'] ?? '');
    try {
      if (tokenId !== undefined) return await this.#finish(String(tokenId), cookies, signal);
      const json = { authId, callbacks: JSON.parse(String(callbacks)) };
      const headers = { ...HEADERS, ...cookieHeader(cookies) };
      const answer = await this.#http.send('POST', this.#http.authenticate, { json, headers }, signal);
      // The server is busy or restarts: the phone still rings.
      if (answer.status >= 500) return { kind: 'pending', state, waitSeconds: POLL_SECONDS };
      return await this.#read(answer, cookies, signal);
    } catch {
      return { kind: 'pending', state, waitSeconds: POLL_SECONDS };
    }
  }

  /** The callbacks with our answers; null where they are others than are documented: nothing personal goes there. */
  #answer(callbacks: readonly Callback[], { method, user, text, hash }: Identification): Callback[] | null {
    const { apiVersion, clientId, relatedParty } = this.#settings;
    const questions = QUESTIONS[apiVersion];
    const choices = callbacks.at(-1)?.output.find(({ name }) => name === 'choices')?.value;
    const choice = Array.isArray(choices) ? choices.indexOf(method) : -1;
    if (callbacks.length !== questions.length || choice === -1) return null;
    const answers: Record<(typeof questions)[number] | 'title', string | number> = {
      client: clientId,
      related: relatedParty,
      title: '',
      user,
      text,
      vchoice: 'false',
      confirm: 'false',
      hash: hash ?? '',
      authenticator: choice,
    };
    const filled = callbacks.map((callback, at) => {
      const [input] = callback.input ?? [];
      const question = questions[at];
      if (input === undefined || question === undefined) return null;
      return { ...callback, input: [{ name: input.name, value: answers[question] }] };
    });
    return filled.every((callback) => callback !== null) ? filled : null;
  }

  async #read(answer: AudkenniAnswer, before: string, signal: AbortSignal): Promise<Progress> {
    const cookies = mergeCookies(before, answer.cookies);
    const done = DoneSchema.safeParse(answer.body);
    if (answer.status === 200 && done.success) return await this.#finish(done.data.tokenId, cookies, signal);
    const step = StepSchema.safeParse(answer.body);
    const polling = step.data?.callbacks.find(({ type }) => type === 'PollingWaitCallback');
    if (answer.status !== 200 || !step.success || polling === undefined) return failureIn(answer);
    const wait = Number(polling.output.find(({ name }) => name === 'waitTime')?.value);
    const { authId, callbacks } = step.data;
    return {
      kind: 'pending',
      state: { authId, callbacks: JSON.stringify(callbacks), cookies },
      waitSeconds: Number.isFinite(wait) && wait > 0 ? Math.ceil(wait / 1000) : POLL_SECONDS,
    };
  }

  /** The person has agreed. A step that is lost is done again at the next check. */
  async #finish(tokenId: string, cookies: string, signal: AbortSignal): Promise<Progress> {
    const headers = cookieHeader(mergeCookies(cookies, [`audsso=${tokenId}`]));
    const { clientId, clientSecret, redirectUrl, apiVersion } = this.#settings;
    const [verifier, state] = [randomBytes(48).toString('base64url'), randomBytes(16).toString('base64url')];
    try {
      const query = new URLSearchParams({
        service: apiVersion,
        client_id: clientId,
        response_type: 'code',
        scope: 'openid profile',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state,
        redirect_uri: redirectUrl,
      });
      const url = `${this.#http.oauth}/authorize?${query}`;
      const authorized = await this.#http.send('GET', url, { headers }, signal);
      const code = codeIn(authorized, redirectUrl, state);
      if (code === null) return failureOf('authorize_refused');
      const form = {
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirectUrl,
        code_verifier: verifier,
        code,
      };
      const tokens = await this.#http.send(
        'POST',
        `${this.#http.oauth}/access_token`,
        { form, headers },
        signal,
      );
      const token = this.#http.readToken(tokens);
      return token === null ? failureOf('token_refused') : await this.#http.person(token, headers, signal);
    } catch {
      return { kind: 'pending', state: { tokenId, cookies }, waitSeconds: POLL_SECONDS };
    }
  }
}

function failureIn({ status, body }: AudkenniAnswer): Progress {
  const error = ErrorSchema.safeParse(body);
  const code = error.data?.detail?.failureUrl ?? error.data?.message ?? `http_${status}`;
  return failureOf(code);
}

/** The code in the redirect to ourselves, if it is the answer to our request. */
function codeIn({ location }: AudkenniAnswer, redirectUrl: string, state: string): string | null {
  if (location === null || !URL.canParse(location)) return null;
  const [to, ours] = [new URL(location), new URL(redirectUrl)];
  const isOurs = to.origin === ours.origin && to.pathname === ours.pathname;
  return isOurs && to.searchParams.get('state') === state ? to.searchParams.get('code') : null;
}

function mergeCookies(before: string, set: readonly string[]): string {
  const all = new Map(
    [...before.split('; '), ...set]
      .filter((cookie) => cookie.includes('='))
      .map((cookie) => [cookie.slice(0, cookie.indexOf('=')), cookie]),
  );
  return [...all.values()].join('; ');
}

function cookieHeader(cookies: string): Record<string, string> {
  return cookies === '' ? {} : { cookie: cookies };
}
