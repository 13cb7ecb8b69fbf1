import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { find, textAt, type XmlElement } from '@hlid/edge/onvif/xml-element';

/** The ways to log in at a simulated device. */
export type OnvifLogin = 'token' | 'digest-md5' | 'digest-sha256';

export interface LoginRules {
  user: string;
  password: string;
  logins: readonly OnvifLogin[];
  /** The number of wrong logins after which every login is refused, even with the right password. */
  lockAfter: number;
  /** How far a token's time may be from the device's. */
  toleranceMs: number;
  /** How often a nonce of HTTP Digest may be used before it is stale. */
  nonceUses: number;
  now: () => Date;
}

export type LoginResult =
  | { ok: true; by: 'token' | 'digest' }
  /** `none`: no login came with the request; `wrong`: one that does not fit. */
  | { ok: false; reason: 'none' | 'wrong' | 'locked' | 'stale' };

const SECEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const UTILITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';
const REALM = 'onvif device';

/** The door of a simulated device: strict, and unforgiving like the real ones. */
export function createLoginCheck(rules: LoginRules) {
  const nonces = new Map<string, { uses: number; lastCount: number }>();
  const usedTokens = new Set<string>();
  let failed = 0;
  const takes = (login: OnvifLogin) => rules.logins.includes(login);

  function wrong(): LoginResult {
    failed++;
    return { ok: false, reason: failed >= rules.lockAfter ? 'locked' : 'wrong' };
  }

  function checkToken(token: XmlElement): LoginResult {
    const passwordElement = find(token, 'Password');
    const nonce = textAt(token, 'Nonce') ?? '';
    const created = find(token, 'Created');
    const nonceBytes = Buffer.from(nonce, 'base64');
    const wellFormed =
      passwordElement?.attributes['Type']?.endsWith('#PasswordDigest') === true &&
      [token, passwordElement].every((element) => element.namespace === SECEXT) &&
      created?.namespace === UTILITY &&
      nonceBytes.length >= 8;
    if (!wellFormed || usedTokens.has(nonce)) return wrong();
    const age = Math.abs(rules.now().getTime() - Date.parse(created.text));
    if (!(age <= rules.toleranceMs)) return wrong();
    const digest = createHash('sha1')
      .update(Buffer.concat([nonceBytes, Buffer.from(created.text + rules.password)]))
      .digest('base64');
    if (textAt(token, 'Username') !== rules.user || passwordElement.text !== digest) return wrong();
    usedTokens.add(nonce);
    return { ok: true, by: 'token' };
  }

  function checkDigest(header: string, { method = '', url = '' }: IncomingMessage): LoginResult {
    const given = new Map(
      [...header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name = '', quoted, bare]) => [
        name,
        quoted ?? bare ?? '',
      ]),
    );
    const algorithm = given.get('algorithm') === 'SHA-256' ? 'sha256' : 'md5';
    if (!takes(`digest-${algorithm}`)) return wrong();
    const hash = (text: string) => createHash(algorithm).update(text).digest('hex');
    const [nonce = '', nc = '', cnonce = ''] = ['nonce', 'nc', 'cnonce'].map((name) => given.get(name));
    const known = nonces.get(nonce);
    const response = hash(
      [
        hash(`${rules.user}:${REALM}:${rules.password}`),
        nonce,
        nc,
        cnonce,
        'auth',
        hash(`${method}:${url}`),
      ].join(':'),
    );
    const fits =
      given.get('username') === rules.user &&
      given.get('realm') === REALM &&
      given.get('uri') === url &&
      given.get('qop') === 'auth' &&
      /^[0-9a-f]{8}$/.test(nc) &&
      cnonce !== '' &&
      given.get('response') === response;
    if (!fits) return wrong();
    const count = Number.parseInt(nc, 16);
    if (!known || count <= known.lastCount || known.uses >= rules.nonceUses) {
      return { ok: false, reason: 'stale' };
    }
    known.uses++;
    known.lastCount = count;
    return { ok: true, by: 'digest' };
  }

  return {
    check(request: IncomingMessage, soapHeader: XmlElement | null): LoginResult {
      // Bytes come as characters.
      const authorization =
        request.headers.authorization &&
        Buffer.from(request.headers.authorization, 'latin1').toString('utf8');
      const token = find(soapHeader, 'Security', 'UsernameToken');
      const offered = authorization?.startsWith('Digest ') === true || (token !== null && takes('token'));
      if (!offered) return { ok: false, reason: 'none' };
      if (failed >= rules.lockAfter) return { ok: false, reason: 'locked' };
      if (authorization?.startsWith('Digest ')) return checkDigest(authorization, request);
      return token ? checkToken(token) : { ok: false, reason: 'none' };
    },
    /** One `WWW-Authenticate` for each way of HTTP Digest; none where it takes tokens only. */
    challenges(stale: boolean): string[] {
      const ways = (['digest-md5', 'digest-sha256'] as const).filter(takes);
      return ways.map((way) => {
        const nonce = randomBytes(16).toString('hex');
        nonces.set(nonce, { uses: 0, lastCount: 0 });
        // The oldest devices do not name MD5, and list their ways in any order.
        const algorithm = way === 'digest-sha256' ? ', algorithm=SHA-256' : '';
        return `Digest qop="auth", realm="${REALM}", nonce="${nonce}"${algorithm}, stale=${stale ? 'TRUE' : 'FALSE'}`;
      });
    },
    failedLogins: () => failed,
    isLocked: () => failed >= rules.lockAfter,
    unlock() {
      failed = 0;
    },
  };
}
