import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import {
  AUDKENNI_CLIENT,
  AudkenniRealm,
  type AudkenniRequest,
  formOf,
  type Reply,
  type Ringing,
} from './audkenni-realm.ts';

const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
/** The private key; the server has its public part. */
export const CIBA_PRIVATE_KEY = KEYS.privateKey;

const GRANT = 'urn:openid:params:grant-type:ciba';
const EXPIRES_SECONDS = 180;

interface Pending {
  ringing: Ringing;
  intervalSeconds: number;
  polledAt: number;
}

/** Auðkenni by CIBA in poll mode: signed requests, `slow_down` for a client that polls too fast. */
export class AudkenniCibaServer {
  readonly realm = new AudkenniRealm();
  readonly #pending = new Map<string, Pending>();
  /** The next poll is answered `slow_down`, although it waited long enough. */
  slowDownOnce = false;

  async start(): Promise<void> {
    await this.realm.start((request) => {
      switch (request.url.pathname.slice(this.realm.path.length)) {
        case '/bc-authorize':
          return { step: 'ring', reply: () => this.#ring(request) };
        case '/access_token':
          return { step: 'poll', reply: () => this.#poll(request) };
        case '/userinfo':
          return { step: 'person', reply: () => this.realm.person(request) };
        default:
          return null;
      }
    });
  }

  #isClient({ headers }: AudkenniRequest): boolean {
    const { clientId, clientSecret } = AUDKENNI_CLIENT;
    const expected = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    return headers.authorization === `Basic ${expected}`;
  }

  #ring(request: AudkenniRequest): Reply {
    if (!this.#isClient(request)) return { status: 401, body: { error: 'invalid_client' } };
    const form = formOf(request);
    if (form === null || [...form.keys()].join() !== 'request') {
      return this.realm.refuse('a request with other fields than `request`', { error: 'invalid_request' });
    }
    const claims = this.#claimsIn(form.get('request') ?? '');
    if (typeof claims === 'string') return this.realm.refuse(claims, { error: 'invalid_request' });
    const { login_hint: user, acr_values: acr, binding_message: text, binding_content: hash } = claims;
    const method = acr === 'sim-auth' ? 'sim' : 'app';
    const shape = method === 'sim' ? /^\d{7}$/ : /^\d{10}$/;
    if (!shape.test(user)) return this.realm.refuse(`a login_hint of another form for ${acr}`);
    const ringing = this.realm.ring(method, user, text, hash);
    if (ringing === null) return denied(method === 'sim' ? 'mssp_105' : 'audkenni_404');
    const id = randomBytes(16).toString('base64url');
    this.#pending.set(id, { ringing, intervalSeconds: 2, polledAt: this.realm.now });
    return { status: 200, body: { auth_req_id: id, expires_in: EXPIRES_SECONDS, interval: 2 } };
  }

  /** The claims of a request object, or what is wrong with it. */
  #claimsIn(
    jwt: string,
  ): Record<'login_hint' | 'acr_values' | 'binding_message' | 'binding_content', string> | string {
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    const signed = Buffer.from(`${header}.${payload}`);
    const key = createPublicKey(KEYS.publicKey);
    if (JSON.parse(Buffer.from(header, 'base64url').toString()).alg !== 'RS256')
      return 'another alg than RS256';
    if (!verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))) return 'a wrong signature';
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const exp = claims.exp * 1000 - this.realm.now;
    if (claims.iss !== AUDKENNI_CLIENT.clientId) return 'another iss';
    if (claims.aud !== `${this.realm.url}${this.realm.path}`) return `the aud ${claims.aud}`;
    if (!(exp > 0 && exp <= 600_000)) return 'a request that has run out, or never does';
    if (!/^openid profile( |$)/.test(claims.scope)) return `the scope ${claims.scope}`;
    if (!['sim-auth', 'app-auth'].includes(claims.acr_values)) return `the acr_values ${claims.acr_values}`;
    return claims;
  }

  #poll(request: AudkenniRequest): Reply {
    if (!this.#isClient(request)) return { status: 401, body: { error: 'invalid_client' } };
    const form = formOf(request);
    if (form?.get('grant_type') !== GRANT) return this.realm.refuse('another grant');
    const id = form.get('auth_req_id') ?? '';
    const pending = this.#pending.get(id);
    if (pending === undefined) return { status: 400, body: { error: 'invalid_grant' } };
    const tooFast = this.realm.now - pending.polledAt < pending.intervalSeconds * 1000;
    if (tooFast) this.realm.violations.push('a poll that comes too fast');
    if (tooFast || this.slowDownOnce) {
      this.slowDownOnce = false;
      pending.intervalSeconds += 5;
      pending.polledAt = this.realm.now;
      return { status: 400, body: { error: 'slow_down' } };
    }
    pending.polledAt = this.realm.now;
    const answer = this.realm.answerOf(pending.ringing);
    if (answer === null && this.realm.now - pending.ringing.at > EXPIRES_SECONDS * 1000) {
      return { status: 400, body: { error: 'expired_token' } };
    }
    if (answer === null) return { status: 400, body: { error: 'authorization_pending' } };
    this.#pending.delete(id);
    return answer === 'accept' ? this.realm.issueToken(pending.ringing.person) : denied(answer);
  }
}

function denied(code: string): Reply {
  return { status: 400, body: { error_description: code, error: 'access_denied' } };
}
