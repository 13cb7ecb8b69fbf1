import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { type CertificateView, certificateLife, pinOf, TlsFiles } from '@hlid/node/tls-files';
import type { Logger } from 'pino';
import type { CloudConfig } from '../config/config.ts';

/** The settings of TLS to the cloud. */
export type CloudTlsSettings = Pick<CloudConfig, 'ca' | 'mqttCa' | 'cert' | 'key' | 'pin'>;

type Purpose = 'http' | 'mqtt';

export interface TlsConnectionOptions {
  ca?: string | string[];
  cert?: string;
  key?: string;
  checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

/** The cloud's key is none of `cloud.pin`. */
export const PIN_MISMATCH = 'ERR_HLID_PIN';

/**
 * TLS to the cloud, the same for MQTT and HTTP: whom the site trusts, and its own certificate. Pins are checked besides
 * the certificate, never instead of it.
 */
export class CloudTls {
  readonly #settings: CloudTlsSettings;
  readonly #http: TlsFiles;
  readonly #mqtt: TlsFiles;
  readonly #seen = new Map<Purpose, CertificateView>();

  constructor(settings: CloudTlsSettings, parts: { log: Logger; checkEveryMs?: number }) {
    const { ca, mqttCa = ca, cert, key } = settings;
    this.#settings = settings;
    this.#http = new TlsFiles({ ca, cert, key }, parts);
    this.#mqtt = new TlsFiles({ ca: mqttCa, cert, key }, parts);
  }

  start(): void {
    this.#http.start();
    this.#mqtt.start();
  }

  stop(): void {
    this.#http.stop();
    this.#mqtt.stop();
  }

  /** The options of the next connection: the files may have been renewed. */
  options(purpose: Purpose): TlsConnectionOptions {
    const { ca, mqttCa = ca } = this.#settings;
    const { ca: authority, ...own } = (purpose === 'http' ? this.#http : this.#mqtt).options();
    // If the file is missing, no authority is trusted, rather than all that this machine trusts.
    const trusted = authority ?? ((purpose === 'http' ? ca : mqttCa) === undefined ? undefined : []);
    return {
      ...own,
      ...(trusted !== undefined && { ca: trusted }),
      checkServerIdentity: (host, certificate) => this.#check(purpose, host, certificate),
    };
  }

  /** Our own certificates, and those of the cloud as they were last seen. */
  certificates(): CertificateView[] {
    return [...this.#http.certificates(), ...this.#mqtt.certificates(), ...this.#seen.values()];
  }

  /** Why files cannot be used. */
  problems(): string[] {
    return [...new Set([this.#http.problem(), this.#mqtt.problem()])].filter((problem) => problem !== null);
  }

  #check(purpose: Purpose, host: string, certificate: PeerCertificate): Error | undefined {
    const wrong = checkServerIdentity(host, certificate);
    if (wrong) return wrong;
    const life = certificateLife(certificate.valid_from, certificate.valid_to);
    this.#seen.set(purpose, { path: `the cloud's (${purpose})`, name: host, ...life });
    const { pin: pins = [] } = this.#settings;
    const seen = pinOf(new X509Certificate(certificate.raw));
    if (pins.length === 0 || pins.includes(seen)) return undefined;
    const message =
      `the key of ${host} is not the pinned one: expected ${pins.join(' or ')}, seen ${seen}. ` +
      'If the operator confirms the new key, add it to cloud.pin (or enrol again with --pin); if not, somebody is in between.';
    return Object.assign(new Error(message), { code: PIN_MISMATCH });
  }
}
