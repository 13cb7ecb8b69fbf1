import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person with an electronic identity. */
export interface AudkenniPerson {
  phone: string;
  ssn: string;
  name: string;
  /** A code of Auðkenni's: what happens in place of an agreement. `ignore`: the phone rings until it gives up. */
  does: 'accept' | 'ignore' | `mssp_${number}`;
  /** The time until the person answers. */
  afterMs: number;
}

/** A phone that rings. */
export interface Ringing {
  person: AudkenniPerson;
  method: string;
  text: string;
  /** The four digits that it shows. */
  code: string | null;
  at: number;
}

/** The step at which a request fails, once. */
export type AudkenniStep = 'start' | 'ring' | 'poll' | 'authorize' | 'token' | 'person';
/** `cut`: the line breaks before anything is done; `cut-after`: after it; `hang`: no answer. */
export type AudkenniFault = 'cut' | 'cut-after' | 'busy' | 'garbage' | 'huge' | 'hang';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
}

export interface AudkenniRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  text: string;
}

export const AUDKENNI_CLIENT = {
  clientId: 'hlidTest',
  clientSecret: 'leyndarmál',
  redirectUrl: 'https://parking.example/eid',
} as const;

/** A phone gives up after that. */
const RING_MS = 120_000;

/**
 * The common part of both kinds of Auðkenni's server: people, phones, tokens and the endpoint `userinfo`.
 * Strict: every violation of the documents is in `violations`, and refused.
 */
export class AudkenniRealm {
  readonly path = '/sso/oauth2/realms/root/realms/audkenni';
  readonly people: AudkenniPerson[] = [];
  readonly rang: Ringing[] = [];
  readonly violations: string[] = [];
  #at = Date.parse('2026-11-21T12:00:00.000Z');
  /** The time since which the clock runs; null: it stands until a test moves it. */
  #runsSince: number | null = null;
  readonly #tokens = new Map<string, AudkenniPerson>();
  readonly #faults = new Map<AudkenniStep, AudkenniFault>();
  readonly #server: Server;
  #handle: (request: AudkenniRequest) => { step: AudkenniStep; reply(): Reply } | null = () => null;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Milliseconds; moved by tests. */
  get now(): number {
    return this.#at + (this.#runsSince === null ? 0 : Date.now() - this.#runsSince);
  }

  set now(now: number) {
    this.#at = now;
    if (this.#runsSince !== null) this.#runsSince = Date.now();
  }

  /** Starts a real clock, for programs that wait. */
  startClock(): void {
    this.#runsSince = Date.now();
  }

  async start(handle: (request: AudkenniRequest) => { step: AudkenniStep; reply(): Reply } | null) {
    this.#handle = handle;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  failOnce(step: AudkenniStep, fault: AudkenniFault): void {
    this.#faults.set(step, fault);
  }

  /** Notes what is against the documents. @returns the answer to it */
  refuse(violation: string, body: unknown = { code: 400, reason: 'Bad Request' }): Reply {
    this.violations.push(violation);
    return { status: 400, body };
  }

  /** Lets a phone ring. @returns null if there is no such phone */
  ring(method: string, user: string, text: string, hash: string): Ringing | null {
    const person = this.people.find(({ phone, ssn }) => user === (method === 'sim' ? phone : ssn));
    if (person === undefined) return null;
    if (text === '' || /[\r\n]/.test(text)) this.violations.push('a message of no line, or of several');
    if (text.length > 60) this.violations.push('a message of more than 60 characters');
    const code = method === 'sim' ? (/(?<!\d)\d{4}(?!\d)/.exec(text)?.[0] ?? null) : this.#codeOf(hash);
    const ringing = { person, method, text, code, at: this.now };
    this.rang.push(ringing);
    return ringing;
  }

  /** The code that the app derives from a hash. */
  #codeOf(hash: string): string | null {
    const bytes = Buffer.from(hash, 'base64');
    if (![32, 48, 64].includes(bytes.length)) this.violations.push('no hash of 32, 48 or 64 bytes');
    const [high = 0, low = 0] = createHash('sha256').update(bytes).digest().subarray(-2);
    return `000${(high * 256 + low) % 10_000}`.slice(-4);
  }

  /** How a phone was answered: null while it rings, `accept`, or an error. */
  answerOf({ person, at }: Ringing): string | null {
    if (person.does === 'ignore') return this.now - at >= RING_MS ? 'mssp_208' : null;
    return this.now - at >= person.afterMs ? person.does : null;
  }

  issueToken(person: AudkenniPerson): Reply {
    const token = randomBytes(16).toString('hex');
    this.#tokens.set(token, person);
    return {
      status: 200,
      body: { access_token: token, id_token: 'x.y.z', token_type: 'Bearer', expires_in: 60 },
    };
  }

  /** The endpoint `userinfo`. */
  person({ method, headers }: AudkenniRequest): Reply {
    const person = this.#tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (method !== 'POST') return this.refuse('userinfo by another method than POST');
    if (person === undefined) return { status: 401, body: { error: 'invalid_token' } };
    return { status: 200, body: { sub: person.ssn, name: person.name, nationalRegisterId: person.ssn } };
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const url = new URL(incoming.url ?? '/', this.url);
    const text = Buffer.concat(parts).toString();
    const request = { method: incoming.method ?? '', url, headers: incoming.headers, text };
    const found = this.#handle(request);
    if (found === null) {
      this.violations.push(`${request.method} ${url.pathname}`);
      response.writeHead(404).end();
      return;
    }
    const fault = this.#faults.get(found.step);
    this.#faults.delete(found.step);
    if (fault === 'hang') return;
    if (fault === 'cut') return void incoming.socket.destroy();
    if (fault === 'busy') return void response.writeHead(503).end('Service Unavailable');
    if (fault === 'garbage') return void response.writeHead(200).end('<html>');
    if (fault === 'huge') return void response.writeHead(200).end('x'.repeat(1024 * 1024));
    const { status, body, headers } = found.reply();
    if (fault === 'cut-after') return void incoming.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
}

/** The fields of a form; null: it is none. */
export function formOf({ method, headers, text }: AudkenniRequest): URLSearchParams | null {
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded') return null;
  return new URLSearchParams(text);
}
