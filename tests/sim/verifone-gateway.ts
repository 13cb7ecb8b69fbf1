import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Answer, VERIFONE_ACCOUNT } from './verifone-gateway-answers.ts';
import { authenticationScript, bankPage, ENCRYPTION_SCRIPT } from './verifone-gateway-scripts.ts';
import { type Operation, type Request, VerifoneService } from './verifone-gateway-service.ts';

/** `acts`: the service does what it is asked, whatever its answer. */
export type VerifoneFault =
  | { kind: 'silent' | 'reset' | 'garbage'; acts: boolean }
  | { kind: 'status'; acts: boolean; status: number; body?: object }
  | { kind: 'slow'; answersAfterMs: number }
  /** It answers nothing, and acts when it is released: when nobody waits any more. */
  | { kind: 'held' }
  /** The answer is changed. */
  | { kind: 'says'; body: object };

/** What `/oidc` is at Verifone. */
const API = '/oidc';
const PATHS: readonly [RegExp, Operation][] = [
  [/^POST \/3ds-service\/v2\/jwt\/create$/, 'jwt'],
  [/^POST \/3ds-service\/v2\/lookup$/, 'lookup'],
  [/^POST \/3ds-service\/v2\/jwt\/validate$/, 'validate'],
  [/^POST \/api\/v2\/transactions\/card$/, 'pay'],
  [/^POST \/api\/v2\/transactions\/reverse$/, 'reverse'],
  [/^GET \/api\/v2\/transactions$/, 'list'],
  [/^GET \/api\/v2\/transaction\/([\w-]+)$/, 'read'],
  [/^POST \/api\/v2\/transactions\/([\w-]+)\/refund$/, 'refund'],
  [/^POST \/api\/v2\/transactions\/([\w-]+)\/void_capture$/, 'void_capture'],
  [/^DELETE \/api\/v2\/card\/([\w-]+)$/, 'delete-token'],
];
/** As the documents have it: these calls have no body, and the others have JSON. */
const WITHOUT_BODY: readonly Operation[] = ['list', 'read', 'reverse', 'void_capture', 'delete-token'];

/**
 * A strict simulator of Verifone eCommerce, its 3-D Secure service, the bank's page, and the scripts that a page loads
 * from `/verifone.js` and `/songbird.js`. What the documents leave open it does in the way that is worse for us: an
 * idempotency key does not make a second refund harmless, and a reversal does not stop a payment that arrives later.
 */
export class VerifoneSimulator {
  readonly service = new VerifoneService();
  /** Calls that came, in order. */
  readonly calls: Operation[] = [];
  readonly #failing: { operations: readonly Operation[]; fault: VerifoneFault }[] = [];
  readonly #held: Request[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #server: Server | null = null;
  #port = 0;

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.service.origin = this.origin;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** For the configuration of the gateway. */
  settings() {
    return {
      kind: 'verifone' as const,
      environment: 'sandbox',
      ...VERIFONE_ACCOUNT,
      publicKey: this.service.cards.publicKey,
      billing: { address: 'Borgartún 1', city: 'Reykjavík', countryCode: 'IS', email: 'office@example.is' },
      hosts: {
        api: this.origin + API,
        encryptionScript: `${this.origin}/verifone.js`,
        authenticationScript: `${this.origin}/songbird.js`,
      },
    };
  }

  /** The next of these calls. */
  fail(operations: readonly Operation[], fault: VerifoneFault): void {
    this.#failing.push({ operations, fault });
  }

  /** What was held arrives at the service. */
  release(): void {
    for (const request of this.#held.splice(0)) this.service.act(request);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const text = Buffer.concat(parts).toString();
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    if (!pathname.startsWith(`${API}/`)) {
      this.#serveBrowser(request, response, pathname, text);
      return;
    }
    const call = callOf(`${request.method} ${pathname.slice(API.length)}`);
    if (!call) {
      this.service.complaints.push(`${request.method} ${pathname}`);
      send(response, { status: 404, body: { message: 'no such call' } });
      return;
    }
    this.calls.push(call.operation);
    const complaint = complaintAbout(call.operation, request, text);
    if (complaint) this.service.complaints.push(`${call.operation}: ${complaint}`);
    const refusal = this.#isAllowed(request) ? complaint && 400 : 401;
    if (refusal) {
      send(response, { status: refusal, body: { code: refusal, message: complaint ?? 'not allowed' } });
      return;
    }
    const key = request.headers['x-vfi-api-idempotencykey'];
    this.#answer(response, {
      ...call,
      query: Object.fromEntries(searchParams),
      body: readJson(text),
      idempotencyKey: typeof key === 'string' ? key : null,
    });
  }

  #isAllowed({ headers }: IncomingMessage): boolean {
    const { userId, apiKey } = VERIFONE_ACCOUNT;
    return headers.authorization === `Basic ${Buffer.from(`${userId}:${apiKey}`).toString('base64')}`;
  }

  #answer(response: ServerResponse, request: Request): void {
    const at = this.#failing.findIndex(({ operations }) => operations.includes(request.operation));
    const fault = at < 0 ? null : (this.#failing.splice(at, 1)[0]?.fault ?? null);
    const acts = !fault || !('acts' in fault) || fault.acts;
    if (fault?.kind === 'held') {
      this.#held.push(request);
      return;
    }
    const answer = acts ? this.service.act(request) : { status: 201, body: {} };
    switch (fault?.kind) {
      case undefined:
        send(response, answer);
        break;
      case 'silent':
        break;
      case 'reset':
        response.socket?.resetAndDestroy();
        break;
      case 'garbage':
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"');
        break;
      case 'status':
        send(response, { status: fault.status, body: fault.body ?? {} });
        break;
      case 'slow':
        this.#later(fault.answersAfterMs, () => send(response, answer));
        break;
      case 'says':
        send(response, { ...answer, body: { ...answer.body, ...fault.body } });
        break;
      default:
        fault satisfies never;
    }
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  /** The scripts of the page, Cardinal's service behind them, and the bank's page. */
  #serveBrowser(request: IncomingMessage, response: ServerResponse, pathname: string, text: string): void {
    const { books } = this.service;
    const form = new URLSearchParams(text);
    const transactionId = form.get('transactionId') ?? '';
    response.setHeader('access-control-allow-origin', '*');
    switch (`${request.method} ${pathname}`) {
      case 'GET /verifone.js':
        response.setHeader('content-type', 'text/javascript').end(ENCRYPTION_SCRIPT);
        break;
      case 'GET /songbird.js':
        response.setHeader('content-type', 'text/javascript').end(authenticationScript(this.origin));
        break;
      case 'POST /cardinal/init': {
        const sessionId = books.openSession(text);
        send(response, sessionId ? { status: 200, body: { sessionId } } : { status: 403, body: {} });
        break;
      }
      case 'POST /acs':
        response.setHeader('content-type', 'text/html').end(bankPage(transactionId));
        break;
      case 'POST /acs/answer':
        send(response, this.#bankAnswer(transactionId, form.get('act') === 'accept' ? 'accept' : 'refuse'));
        break;
      default:
        send(response, { status: 404, body: {} });
    }
  }

  #bankAnswer(transactionId: string, act: 'accept' | 'refuse'): Answer {
    const answered = this.service.books.answer(transactionId, act);
    if (!answered) return { status: 404, body: {} };
    const result = { ActionCode: act === 'accept' ? 'SUCCESS' : 'FAILURE', ErrorNumber: 0 };
    return { status: 200, body: { transactionId, result, jwt: answered.responseJwt } };
  }
}

function callOf(line: string): { operation: Operation; id: string } | null {
  for (const [path, operation] of PATHS) {
    const match = path.exec(line);
    if (match) return { operation, id: match[1] ?? '' };
  }
  return null;
}

function complaintAbout(operation: Operation, { headers }: IncomingMessage, text: string): string | null {
  if (WITHOUT_BODY.includes(operation)) return text === '' ? null : 'a body';
  if (headers['content-type'] !== 'application/json') return 'not JSON';
  return readJson(text) === undefined ? 'unreadable JSON' : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  if (body === null) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
