import { sign } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { isFault } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import { failureOf, isAudkenniCode } from './audkenni-errors.ts';
import { type AudkenniAnswer, AudkenniHttp } from './audkenni-http.ts';
import type { ElectronicId, Identification, Progress, ProviderState } from './electronic-id.ts';
import type { ElectronicIdConfig } from './electronic-id-config.ts';

type Settings = Extract<ElectronicIdConfig, { kind: 'audkenni-ciba' }>;

const StartedSchema = z.object({
  auth_req_id: z.string().min(1),
  expires_in: z.number().optional(),
  interval: z.number().positive().optional(),
});
const ErrorSchema = z.object({ error: z.string(), error_description: z.string().optional() });

const GRANT = 'urn:openid:params:grant-type:ciba';
/** OpenID Connect CIBA: where the server gives no interval, and by how much `slow_down` lengthens it. */
const INTERVAL_SECONDS = 5;
const REQUEST_LIFE_SECONDS = 300;

/**
 * Auðkenni by OpenID Connect CIBA in poll mode ("SIM/APP Authentication using CIBA"): a request that we sign starts it,
 * and the token endpoint is polled.
 */
export class AudkenniCiba implements ElectronicId {
  readonly kind = 'audkenni-ciba';
  readonly methods = ['sim', 'app'] as const;
  readonly #settings: Settings;
  readonly #http: AudkenniHttp;
  readonly #clock: Clock;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#http = new AudkenniHttp(settings.url);
    this.#clock = clock;
  }

  async start(identification: Identification, signal: AbortSignal): Promise<Progress> {
    try {
      const form = { request: this.#request(identification) };
      const url = `${this.#http.oauth}/bc-authorize`;
      const answer = await this.#http.send('POST', url, { form, headers: this.#credentials() }, signal);
      const started = StartedSchema.safeParse(answer.body);
      if (answer.status !== 200 || !started.success) return failureIn(answer);
      const waitSeconds = Math.ceil(started.data.interval ?? INTERVAL_SECONDS);
      return { kind: 'pending', state: { authReqId: started.data.auth_req_id, waitSeconds }, waitSeconds };
    } catch (error) {
      const reason = isFault(error, 'link-refused') ? 'error' : 'unknown';
      return { kind: 'failed', reason, code: 'unreachable' };
    }
  }

  async check(state: ProviderState, signal: AbortSignal): Promise<Progress> {
    const waitSeconds = Number(state['waitSeconds'] ?? INTERVAL_SECONDS);
    const again = { kind: 'pending', state, waitSeconds } as const;
    let reached: Progress = again;
    try {
      const known = state['accessToken'];
      if (known !== undefined) return await this.#http.person(String(known), {}, signal);
      const form = { grant_type: GRANT, auth_req_id: String(state['authReqId']) };
      const url = `${this.#http.oauth}/access_token`;
      const answer = await this.#http.send('POST', url, { form, headers: this.#credentials() }, signal);
      const accessToken = this.#http.readToken(answer);
      if (accessToken !== null) {
        reached = { ...again, state: { accessToken, waitSeconds } };
        return await this.#http.person(accessToken, {}, signal);
      }
      // The server is busy or restarts: the phone still rings.
      if (answer.status >= 500) return again;
      const error = ErrorSchema.safeParse(answer.body).data?.error;
      if (error === 'authorization_pending') return again;
      if (error !== 'slow_down') return failureIn(answer);
      const slower = waitSeconds + INTERVAL_SECONDS;
      return { ...again, state: { ...state, waitSeconds: slower }, waitSeconds: slower };
    } catch {
      return reached;
    }
  }

  /** The signed request (RFC 7515, RS256). */
  #request({ method, user, text, hash }: Identification): string {
    const { clientId, relatedParty, privateKey } = this.#settings;
    const payload = {
      login_hint: user,
      scope: `openid profile${relatedParty && ` RELATEDPARTY:${relatedParty}`}`,
      acr_values: method === 'sim' ? 'sim-auth' : 'app-auth',
      iss: clientId,
      aud: this.#http.oauth,
      exp: Math.floor(this.#clock.now().getTime() / 1000) + REQUEST_LIFE_SECONDS,
      binding_message: text,
      binding_content: hash ?? '',
    };
    const signed = [{ typ: 'JWT', alg: 'RS256' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  #credentials(): Record<string, string> {
    const { clientId, clientSecret } = this.#settings;
    return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
  }
}

/** Auðkenni's code is in the description; without one, the error of OAuth 2.0 counts. */
function failureIn({ status, body }: AudkenniAnswer): Progress {
  const { error, error_description: description } = ErrorSchema.safeParse(body).data ?? {};
  if (description !== undefined && isAudkenniCode(description)) return failureOf(description);
  switch (error) {
    case 'access_denied':
      return { kind: 'failed', reason: 'cancelled', code: error };
    case 'expired_token':
      return { kind: 'failed', reason: 'timeout', code: error };
    case 'unknown_user_id':
      return { kind: 'failed', reason: 'no-identity', code: error };
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_request':
    case 'invalid_scope':
      return { kind: 'failed', reason: 'error', code: error };
    default:
      return failureOf(description ?? error ?? `http_${status}`);
  }
}
