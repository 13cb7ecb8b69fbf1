import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { STRIPE_ACCOUNT } from './stripe-books.ts';
import { readForm, type StripeOperation } from './stripe-requests.ts';
import { StripeBrowserSide } from './stripe-scripts.ts';
import { type StripeAnswer, StripeService } from './stripe-service.ts';

/** `acts`: the service does what it is asked, whatever its answer. */
export type StripeFault =
  | { kind: 'silent' | 'reset' | 'garbage'; acts: boolean }
  | { kind: 'status'; acts: boolean; status: number; body?: object }
  /** It answers nothing, and acts when it is released: when nobody waits any more. */
  | { kind: 'held' }
  /** The answer is changed. */
  | { kind: 'says'; body: object };

const PATHS: readonly [RegExp, StripeOperation][] = [
  [/^POST \/v1\/payment_intents$/, 'create-intent'],
  [/^GET \/v1\/payment_intents$/, 'list-intents'],
  [/^GET \/v1\/payment_intents\/search$/, 'search-intents'],
  [/^GET \/v1\/payment_intents\/(\w+)$/, 'read-intent'],
  [/^POST \/v1\/payment_intents\/(\w+)\/confirm$/, 'confirm'],
  [/^POST \/v1\/payment_intents\/(\w+)\/capture$/, 'capture'],
  [/^POST \/v1\/payment_intents\/(\w+)\/cancel$/, 'cancel'],
  [/^POST \/v1\/refunds$/, 'refund'],
  [/^GET \/v1\/refunds$/, 'list-refunds'],
  [/^POST \/v1\/customers$/, 'create-customer'],
  [/^DELETE \/v1\/customers\/(\w+)$/, 'delete-customer'],
  [/^GET \/v1\/payment_method_domains$/, 'list-domains'],
];
const FORM = 'application/x-www-form-urlencoded';

/**
 * A strict simulator of Stripe's API, with the script `/stripe.js` for pages and a bank that asks drivers. It refuses
 * parameters that Stripe's reference does not have, amounts that Stripe does not take, and a known idempotency key with
 * other parameters.
 */
export class StripeSimulator {
  readonly service = new StripeService();
  /** Calls that came, in order. */
  readonly calls: StripeOperation[] = [];
  readonly #browserSide = new StripeBrowserSide(this.service.books, () => this.origin);
  readonly #failing: { operations: readonly StripeOperation[]; fault: StripeFault }[] = [];
  readonly #held: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
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
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
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
    const hosts = { api: this.origin, script: `${this.origin}/stripe.js` };
    return { kind: 'stripe' as const, ...STRIPE_ACCOUNT, hosts };
  }

  /** The next of these calls. */
  fail(operations: readonly StripeOperation[], fault: StripeFault): void {
    this.#failing.push({ operations, fault });
  }

  /** What was held arrives at the service. */
  release(): void {
    for (const act of this.#held.splice(0)) act();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const text = Buffer.concat(parts).toString();
    const { pathname, search } = new URL(request.url ?? '/', this.origin);
    if (this.#browserSide.serve(request, response, pathname, text)) return;
    const call = callOf(`${request.method} ${pathname}`);
    if (!call) {
      this.service.complaints.push(`${request.method} ${pathname}`);
      refuse(response, 404);
      return;
    }
    this.calls.push(call.operation);
    if (request.headers.authorization !== `Bearer ${STRIPE_ACCOUNT.secretKey}`) {
      refuse(response, 401);
      return;
    }
    const complaint = complaintAbout(request, text);
    if (complaint) {
      this.service.complaints.push(`${call.operation}: ${complaint}`);
      refuse(response, 400);
      return;
    }
    const key = request.headers['idempotency-key'];
    this.#answer(response, call.operation, () =>
      this.service.act({
        ...call,
        fields: readForm(request.method === 'POST' ? text : search),
        idempotencyKey: typeof key === 'string' ? key : null,
      }),
    );
  }

  #answer(response: ServerResponse, operation: StripeOperation, act: () => StripeAnswer): void {
    const at = this.#failing.findIndex(({ operations }) => operations.includes(operation));
    const fault = at < 0 ? null : (this.#failing.splice(at, 1)[0]?.fault ?? null);
    if (fault?.kind === 'held') {
      this.#held.push(act);
      return;
    }
    const acts = !fault || !('acts' in fault) || fault.acts;
    const answer = acts ? act() : { status: 200, body: {} };
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
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"');
        break;
      case 'status':
        send(response, { status: fault.status, body: fault.body ?? {} });
        break;
      case 'says':
        send(response, { ...answer, body: { ...answer.body, ...fault.body } });
        break;
      default:
        fault satisfies never;
    }
  }
}

function callOf(line: string): { operation: StripeOperation; id: string } | null {
  for (const [path, operation] of PATHS) {
    const match = path.exec(line);
    if (match) return { operation, id: match[1] ?? '' };
  }
  return null;
}

function complaintAbout({ method, headers }: IncomingMessage, text: string): string | null {
  if (headers['stripe-version'] === undefined) return 'no version';
  if (method !== 'POST') return text === '' ? null : 'a body';
  return headers['content-type']?.startsWith(FORM) ? null : 'not a form';
}

function refuse(response: ServerResponse, status: number): void {
  send(response, { status, body: { error: { type: 'invalid_request_error' } } });
}

function send(response: ServerResponse, { status, body, isReplayed }: StripeAnswer): void {
  if (response.destroyed) return;
  const replayed = isReplayed && { 'idempotent-replayed': 'true' };
  const headers = { 'content-type': 'application/json', 'request-id': 'req_sim', ...replayed };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
