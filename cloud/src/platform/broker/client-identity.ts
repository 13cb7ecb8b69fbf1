import type { TLSSocket } from 'node:tls';

/** A client's certificate that its authority has signed. */
export interface ClientCertificate {
  /** Its common name and its DNS names, of which one is the id of the site. */
  names: readonly string[];
}

type ReadCertificate =
  | { ok: true; certificate: ClientCertificate | null }
  /** `name`: the identity that the client claims. */
  | { ok: false; reason: string; name: string };

/** The certificate with which a client came; null: with none. Refused where our authority has not signed it. */
export function certificateOf(socket: TLSSocket): ReadCertificate {
  const given = socket.getPeerX509Certificate();
  if (!given) return { ok: true, certificate: null };
  const name = given.subject.replaceAll('\n', ', ');
  if (!socket.authorized) {
    // Node.js has the error here as a code, whatever its types declare.
    return { ok: false, reason: `its certificate is refused: ${String(socket.authorizationError)}`, name };
  }
  const common = [...given.subject.matchAll(/^CN=(.+)$/gm)].map(([, text = '']) => text);
  const alternatives = [...(given.subjectAltName ?? '').matchAll(/(?:^|, )DNS:([\w.-]+)(?=,|$)/g)];
  return { ok: true, certificate: { names: [...common, ...alternatives.map(([, text = '']) => text)] } };
}

type ClientIdentity =
  /** `secret` null: the certificate stands for it. */
  { ok: true; siteId: string; secret: string | null } | { ok: false; reason: string };

/**
 * Finds the site that a client claims to be, and its proof. A certificate must be the site's, and so must a
 * secret, if there is one. One of them must be present, or both if certificates are required. The next step
 * checks the secret and whether the site may connect.
 */
export function identifyClient(
  { username, password }: { username: string | undefined; password: string | undefined },
  { certificate, required }: { certificate: ClientCertificate | undefined; required: boolean },
): ClientIdentity {
  if (!certificate) {
    if (required) return { ok: false, reason: 'it has no certificate' };
    if (username === undefined || password === undefined)
      return { ok: false, reason: 'wrong site or secret' };
    return { ok: true, siteId: username, secret: password };
  }
  if (required && password === undefined) return { ok: false, reason: 'it has no secret' };
  const { names } = certificate;
  const siteId = username ?? names[0];
  if (siteId === undefined || !names.includes(siteId)) {
    return { ok: false, reason: `its certificate is of ${names.join(', ') || 'nobody'}, not of ${username}` };
  }
  return { ok: true, siteId, secret: password ?? null };
}
