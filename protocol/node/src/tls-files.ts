import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext, type Server } from 'node:tls';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { Logger } from 'pino';
import { z } from 'zod';
import { readReason } from './read-reason.ts';

/** The files of one side of TLS, in PEM. */
export interface TlsPaths {
  /** The certificate, with those between it and its authority. */
  cert?: string | undefined;
  /** Its private key. */
  key?: string | undefined;
  /** The authorities that the other side's certificate must come from. */
  ca?: string | undefined;
}

/** The contents of these files. */
export type TlsOptions = { [Name in keyof TlsPaths]?: string };

/** A certificate that this program uses or trusts. */
export interface CertificateView {
  /** Its file. */
  path: string;
  /** The subject of the certificate. */
  name: string;
  endsAt: Date;
  /** The time from which it should be renewed. */
  warnFrom: Date;
}

const WARN_MS = 14 * DAY_MS;
/**
 * Programs that renew certificates do so when a third of their life is left, and Caddy's own live for hours.
 */
const WARN_SHARE = 6;

/** When a certificate ends, and from when on its owner is warned: 14 days before, or in the last sixth of a short life. */
export function certificateLife(
  validFrom: string,
  validTo: string,
): Pick<CertificateView, 'endsAt' | 'warnFrom'> {
  const [fromMs, toMs] = [Date.parse(validFrom), Date.parse(validTo)];
  return {
    endsAt: new Date(toMs),
    warnFrom: new Date(toMs - Math.min(WARN_MS, (toMs - fromMs) / WARN_SHARE)),
  };
}

/** A mistake in one of the files. */
export interface TlsMistake {
  setting: keyof TlsPaths;
  message: string;
}

type ReadTls =
  | { ok: true; options: TlsOptions; certificates: CertificateView[] }
  | { ok: false; mistakes: TlsMistake[] };

export const TLS_EVENTS = { renewed: 'certificate.renewed', refused: 'certificate.refused' } as const;

const PathSchema = z.string().min(1);
/** The paths of a server's certificate and key, as a configuration names them. */
export const ServerFilesSchema = z.strictObject({ cert: PathSchema, key: PathSchema });

/** The paths as seen from the folder of the configuration file. */
export function resolvePaths<Name extends string>(
  paths: { readonly [Key in Name]?: string | undefined },
  folder: string,
): { [Key in Name]?: string } {
  const resolved: { [Key in Name]?: string } = {};
  for (const name in paths) {
    const path = paths[name];
    if (path !== undefined) resolved[name] = resolve(folder, path);
  }
  return resolved;
}

/** Reads and checks the files. Whether a certificate has ended is not a mistake: its owner is warned otherwise. */
export function readTls(paths: TlsPaths): ReadTls {
  const mistakes: TlsMistake[] = [];
  const options: TlsOptions = {};
  const certificates: CertificateView[] = [];
  for (const setting of ['cert', 'key', 'ca'] as const) {
    const path = paths[setting];
    if (path === undefined) continue;
    try {
      const text = readFileSync(path, 'utf8');
      options[setting] = text;
      if (setting === 'key') createPrivateKey(text);
      else if (setting === 'cert') certificates.push(...certificatesIn(text, path));
      else certificates.push(...lastOf(certificatesIn(text, path)));
    } catch (error) {
      mistakes.push({ setting, message: `${path} cannot be used: ${readReason(error)}` });
    }
  }
  const { cert, key } = options;
  if (mistakes.length === 0 && cert !== undefined && key !== undefined) {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      mistakes.push({ setting: 'key', message: `${paths.key} is not the key of ${paths.cert}` });
    }
  }
  if (mistakes.length === 0) {
    try {
      createSecureContext(options);
    } catch (error) {
      mistakes.push({ setting: cert === undefined ? 'ca' : 'cert', message: messageOf(error) });
    }
  }
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, options, certificates };
}

/** The certificates of a file; of a chain, each may end it. Throws where there is none. */
function certificatesIn(text: string, path: string): CertificateView[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error('there is no certificate in it (PEM)');
  return found.map((pem) => {
    const { subject, validFrom, validTo } = new X509Certificate(pem);
    return { path, name: subject.replaceAll('\n', ', '), ...certificateLife(validFrom, validTo) };
  });
}

/** The certificate that ends last: of several authorities, a connection needs one. */
function lastOf(certificates: readonly CertificateView[]): CertificateView[] {
  return certificates.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime()).slice(0, 1);
}

const CHECK_EVERY_MS = 10_000;

/**
 * Certificates, keys and authorities in files, which are read again at intervals: what is renewed there is used by the
 * next connection, without a restart and without a signal. New files that cannot be used are refused and logged, and
 * the former ones stay.
 */
export class TlsFiles {
  readonly #paths: TlsPaths;
  readonly #log: Logger;
  readonly #checkEveryMs: number;
  readonly #listeners: (() => void)[] = [];
  #options: TlsOptions = {};
  #certificates: readonly CertificateView[] = [];
  /** The files as they were read last, used or refused. */
  #seen = '';
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(paths: TlsPaths, parts: { log: Logger; checkEveryMs?: number }) {
    this.#paths = paths;
    this.#log = parts.log;
    this.#checkEveryMs = parts.checkEveryMs ?? CHECK_EVERY_MS;
  }

  /** Reads the files and goes on checking them. What cannot be used is logged, and used once it is mended. */
  start(): void {
    this.check();
    this.#timer = setInterval(() => this.check(), this.#checkEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Reads the files again. */
  check(): void {
    const read = readTls(this.#paths);
    const seen = JSON.stringify(read);
    if (seen === this.#seen) return;
    const isFirst = this.#seen === '';
    this.#seen = seen;
    const problem = read.ok
      ? this.#endedBy(read.certificates)
      : read.mistakes.map(({ message }) => message).join('; ');
    // An expired certificate is better than none, because it shows why connections fail.
    if (!read.ok || (problem !== null && !isFirst)) {
      this.#problem = problem;
      this.#log.error({ event: TLS_EVENTS.refused, reason: problem, files: this.#paths });
      return;
    }
    this.#problem = null;
    this.#options = read.options;
    this.#certificates = read.certificates;
    for (const listener of this.#listeners) listener();
    const endsAt = this.endsAt()?.toISOString();
    if (!isFirst) this.#log.info({ event: TLS_EVENTS.renewed, files: this.#paths, endsAt });
  }

  #endedBy(certificates: readonly CertificateView[]): string | null {
    const ended = certificates.find(({ endsAt }) => endsAt.getTime() <= Date.now());
    return ended ? `${ended.path} has ended at ${ended.endsAt.toISOString()}` : null;
  }

  /** The options of the next connection. */
  options(): TlsOptions {
    return this.#options;
  }

  certificates(): readonly CertificateView[] {
    return this.#certificates;
  }

  /** When the first of the certificates ends; null: there is none. */
  endsAt(): Date | null {
    const times = this.#certificates.map(({ endsAt }) => endsAt.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  /** Why the newest files are not used; null: they are. */
  problem(): string | null {
    return this.#problem;
  }

  /** Gives a server the certificate now and after each renewal. Connections that are open stay. */
  serve(server: Server): void {
    const use = () => server.setSecureContext(this.#options);
    this.#listeners.push(use);
    use();
  }
}

/** Throws Fault 'config-invalid' that names each mistake in the files. */
export function requireTls(paths: TlsPaths): void {
  const read = readTls(paths);
  if (read.ok) return;
  const mistakes = read.mistakes.map(({ message }) => message);
  throw new Fault('config-invalid', mistakes.join('\n'), { details: { mistakes } });
}

/** The pin of a certificate: the SHA-256 of its public key, as `curl --pinnedpubkey` writes it. */
export function pinOf(certificate: X509Certificate): string {
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return `sha256//${createHash('sha256').update(key).digest('base64')}`;
}
