import { createHash, randomBytes } from 'node:crypto';

/** The login at a device. */
export interface Credentials {
  user: string;
  password: string;
}

/** The parameters of a device's challenge (RFC 7616). */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  algorithm: 'MD5' | 'SHA-256';
  /** `-sess`: the password is not hashed alone, but with what is of this session. */
  ofSession: boolean;
  /** Whether the header named the algorithm: then the answer does too. */
  algorithmNamed: boolean;
  /** `auth` offered; without, the oldest form is spoken (RFC 2069). */
  qop: boolean;
  /** The password was right, the nonce is used up. */
  stale: boolean;
}

/** The strongest challenge that we can meet, or null; each header may hold several. */
export function chooseChallenge(headers: readonly string[]): DigestChallenge | null {
  const challenges = headers.flatMap(splitChallenges).flatMap((text) => readChallenge(text) ?? []);
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0] ?? null;
}

/** `Digest …, Basic …, Digest …` in one header: a new one begins where a word stands before its first parameter. */
function splitChallenges(header: string): string[] {
  return header.split(/,\s*(?=[A-Za-z][\w-]*\s+[\w-]+\s*=)/);
}

function readChallenge(text: string): DigestChallenge | null {
  if (!/^\s*Digest\s/i.test(text)) return null;
  const given = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of text.matchAll(
    /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*))/g,
  )) {
    given.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
  }
  const nonce = given.get('nonce');
  const named = given.get('algorithm');
  const ofSession = /-sess$/i.test(named ?? '');
  const algorithm = algorithmOf(named?.replace(/-sess$/i, ''));
  if (nonce === undefined || algorithm === null) return null;
  const qop = given.get('qop');
  const offers = qop?.split(',').map((offer) => offer.trim().toLowerCase());
  // The device offers `auth-int` alone, which is not implemented here: no camera is known that does so.
  if (offers && !offers.includes('auth')) return null;
  return {
    realm: given.get('realm') ?? '',
    nonce,
    opaque: given.get('opaque') ?? null,
    algorithm,
    ofSession,
    algorithmNamed: named !== undefined,
    qop: offers !== undefined,
    stale: given.get('stale')?.toLowerCase() === 'true',
  };
}

function algorithmOf(named: string | undefined): 'MD5' | 'SHA-256' | null {
  switch (named?.toUpperCase().replace('-', '')) {
    case undefined:
    case 'MD5':
      return 'MD5';
    case 'SHA256':
      return 'SHA-256';
    default:
      return null;
  }
}

/**
 * The `Authorization` header for one request.
 *
 * @param target path and query, as in the request line
 * @param count how often this nonce has been used, this time included
 */
export function digestAuthorization(
  challenge: DigestChallenge,
  { user, password }: Credentials,
  request: { method: string; target: string; count: number; cnonce?: string },
): string {
  const { realm, nonce, opaque, algorithm } = challenge;
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const cnonce = request.cnonce ?? randomBytes(8).toString('hex');
  const count = request.count.toString(16).padStart(8, '0');
  const secret = hash(`${user}:${realm}:${password}`);
  const who = challenge.ofSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const what = hash(`${request.method}:${request.target}`);
  const proof = challenge.qop ? `${nonce}:${count}:${cnonce}:auth` : nonce;
  const parts = [
    `username="${quote(user)}"`,
    `realm="${quote(realm)}"`,
    `nonce="${quote(nonce)}"`,
    `uri="${request.target}"`,
    ...(challenge.algorithmNamed ? [`algorithm=${algorithm}${challenge.ofSession ? '-sess' : ''}`] : []),
    ...(challenge.qop ? ['qop=auth', `nc=${count}`] : []),
    ...(challenge.qop || challenge.ofSession ? [`cnonce="${cnonce}"`] : []),
    `response="${hash(`${who}:${proof}:${what}`)}"`,
    ...(opaque === null ? [] : [`opaque="${quote(opaque)}"`]),
  ];
  return `Digest ${parts.join(', ')}`;
}

function quote(text: string): string {
  return text.replace(/[\\"]/g, '\\$&');
}
