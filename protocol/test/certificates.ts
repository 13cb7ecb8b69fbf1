import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../src/base/durations.ts';

/** A certificate and its key, in PEM. */
export interface Certified {
  cert: string;
  key: string;
}

export interface CertificatePlan {
  /** The common name; a server's or site's name. */
  name: string;
  /** Alternative names: host names and IPv4 addresses. */
  hosts?: readonly string[];
  /** Days from now; the end may lie in the past. */
  fromDays?: number;
  untilDays?: number;
}

const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const ALTERNATIVE_NAMES = oid(0x55, 0x1d, 0x11);

/**
 * A small certification authority for tests (RFC 5280), so that they need no other program: keys of P-256, and the
 * extensions that Node.js and Mosquitto check.
 */
export class TestAuthority {
  readonly #name: string;
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** Its own certificate, in PEM. */
  readonly cert: string;

  constructor(name = 'Test authority') {
    this.#name = name;
    this.cert = this.#certificate({ name }, this.#pair.publicKey, true);
  }

  issue(plan: CertificatePlan): Certified {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return { cert: this.#certificate(plan, pair.publicKey, false), key };
  }

  #certificate(plan: CertificatePlan, publicKey: KeyObject, isAuthority: boolean): string {
    const { name, hosts = [], fromDays = -1, untilDays = 90 } = plan;
    const serial = randomBytes(8);
    // A positive number without a leading zero byte.
    serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
    const constraints = extension(BASIC_CONSTRAINTS, sequence(...(isAuthority ? [der(0x01, [0xff])] : [])));
    const alternatives =
      hosts.length === 0 ? [] : [extension(ALTERNATIVE_NAMES, sequence(...hosts.map(hostName)))];
    const signed = sequence(
      der(0xa0, der(0x02, [2])),
      der(0x02, serial),
      sequence(ECDSA_WITH_SHA256),
      commonName(this.#name),
      sequence(utcTime(fromDays), utcTime(untilDays)),
      commonName(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(constraints, ...alternatives)),
    );
    const signature = sign('sha256', signed, this.#pair.privateKey);
    const whole = sequence(signed, sequence(ECDSA_WITH_SHA256), der(0x03, [0], signature));
    const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }
}

function der(tag: number, ...content: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((piece) => Buffer.from(piece)));
  const { length } = body;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

function sequence(...content: Buffer[]): Buffer {
  return der(0x30, ...content);
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, bytes);
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, der(0x01, [0xff]), der(0x04, value));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function hostName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress ? der(0x87, host.split('.').map(Number)) : der(0x82, Buffer.from(host));
}

function utcTime(days: number): Buffer {
  const at = new Date(Date.now() + days * DAY_MS).toISOString();
  return der(0x17, Buffer.from(`${at.slice(2, 19).replace(/[-T:]/g, '')}Z`));
}
