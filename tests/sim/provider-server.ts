import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface ProviderAnswer {
  status: number;
  body: object | null;
  headers?: Readonly<Record<string, string>>;
}

/** A request in the documented form: what it is, and what it does. */
export interface ProviderCall<Operation> {
  operation: Operation;
  act(): ProviderAnswer;
}

/**
 * The fault of the next call of some kind. `acts`: the provider does what it is asked, whatever its answer.
 */
export type ProviderFault =
  | { kind: 'silent' | 'reset' | 'error' | 'garbage' | 'cut' | 'endless' | 'unauthorized'; acts: boolean }
  | { kind: 'status'; acts: boolean; status: number; body?: object }
  /** It acts, and sends its answer two times. */
  | { kind: 'twice' }
  /** It acts at once, and answers later. */
  | { kind: 'slow'; answersAfterMs: number }
  /** It acts, and answers, when it is released: perhaps when the answer is no longer awaited. */
  | { kind: 'held' }
  /** Its answer is changed. */
  | { kind: 'says'; body: object | ((body: Record<string, unknown>) => object) };

const PIECE = Buffer.alloc(64 * 1024, ' ');
/** More than any client reads. */
const ENDLESS_PIECES = 256;

/**
 * An HTTP server of a simulated card provider: a journal of its calls, and faults on order. The provider says what a
 * request is, and does it.
 */
export abstract class ProviderServer<Operation extends string> {
  /** Calls that came, in order. */
  readonly calls: Operation[] = [];
  readonly #failing: { operations: readonly Operation[]; fault: ProviderFault; after: number }[] = [];
  readonly #held: (() => void)[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #server: Server | null = null;
  #port = 0;

  /** Requests that are not in the documented form. */
  abstract get complaints(): string[];
  /** The call of a request; an answer: the provider refuses it. */
  protected abstract read(request: ProviderRequest): ProviderCall<Operation> | ProviderAnswer;

  /** Pages and scripts for the driver's browser. @returns whether it was for a browser */
  protected serveBrowser(_request: ProviderRequest, _response: ServerResponse): boolean {
    return false;
  }

  /** Runs after the provider has acted, and before its answer. */
  protected async beforeAnswer(_operation: Operation): Promise<void> {}

  /** How long a call waits before the provider acts. */
  protected delayMs(_operation: Operation): number {
    return 0;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts at the same address as before, if it was started before. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { pathname: path, searchParams: query } = new URL(request.url ?? '/', this.origin);
        const { method = '', headers } = request;
        const text = Buffer.concat(parts).toString();
        this.#serve({ method, path, query, headers, text }, response).catch((error: unknown) => {
          this.complaints.push(`fault of the simulator: ${error instanceof Error ? error.stack : error}`);
          response.destroy();
        });
      });
      // Callers that gave up.
      request.on('error', () => undefined);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Makes the next of these calls fail. @param after this number of them is answered first */
  fail(operations: readonly Operation[], fault: ProviderFault, after = 0): void {
    this.#failing.push({ operations, fault, after });
  }

  /** Lets held requests reach the provider. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  async #serve(request: ProviderRequest, response: ServerResponse): Promise<void> {
    if (this.serveBrowser(request, response)) return;
    const call = this.read(request);
    if ('status' in call) return sendAnswer(response, call);
    this.calls.push(call.operation);
    const fault = this.#takeFault(call.operation);
    if (fault?.kind === 'held') {
      this.#held.push(() => sendAnswer(response, call.act()));
      return;
    }
    const answer = () => this.#answer(call, fault, response);
    const ms = this.delayMs(call.operation);
    if (ms > 0) this.#later(ms, () => void answer());
    else await answer();
  }

  #takeFault(operation: Operation): ProviderFault | null {
    const at = this.#failing.findIndex((each) => each.operations.includes(operation) && each.after-- <= 0);
    return at < 0 ? null : (this.#failing.splice(at, 1)[0]?.fault ?? null);
  }

  async #answer(
    { operation, act }: ProviderCall<Operation>,
    fault: Exclude<ProviderFault, { kind: 'held' }> | null,
    response: ServerResponse,
  ): Promise<void> {
    const acts = fault === null || !('acts' in fault) || fault.acts;
    const answer = acts ? act() : { status: 200, body: {} };
    await this.beforeAnswer(operation);
    if (fault?.kind === 'slow') this.#later(fault.answersAfterMs, () => sendAnswer(response, answer));
    else if (fault === null) sendAnswer(response, answer);
    else misbehave(fault, answer, response);
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}

function misbehave(
  fault: Exclude<ProviderFault, { kind: 'held' | 'slow' }>,
  answer: ProviderAnswer,
  response: ServerResponse,
): void {
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'silent':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'error':
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Server Error</h1>');
      return;
    case 'unauthorized':
      sendAnswer(response, { status: 401, body: {} });
      return;
    case 'garbage':
      response.writeHead(200, json).end('{"id":"');
      return;
    case 'cut':
      response.writeHead(200, { ...json, 'content-length': 1000 }).write('{"id":');
      response.socket?.destroySoon();
      return;
    case 'endless':
      sendEndlessly(response);
      return;
    case 'twice': {
      const { status, body } = answer;
      const text = JSON.stringify(body);
      const whole = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
      response.socket?.end(whole + whole);
      return;
    }
    case 'status':
      // A call must not follow a redirect with a card.
      sendAnswer(response, {
        status: fault.status,
        body: fault.body ?? {},
        headers: { location: '/elsewhere' },
      });
      return;
    case 'says': {
      const { body } = fault;
      const said = { ...answer.body };
      sendAnswer(response, {
        ...answer,
        body: typeof body === 'function' ? body(said) : { ...said, ...body },
      });
      return;
    }
    default:
      fault satisfies never;
  }
}

/** More than a client reads, as it reads it. */
function sendEndlessly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  let pieces = 0;
  const write = () => {
    while (!response.destroyed && pieces++ < ENDLESS_PIECES) if (!response.write(PIECE)) return;
    response.destroy();
  };
  response.on('drain', write);
  response.on('error', () => undefined);
  write();
}

export function sendAnswer(response: ServerResponse, { status, body, headers }: ProviderAnswer): void {
  if (response.destroyed) return;
  if (body === null) response.writeHead(status, headers).end();
  else
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The call of a list that a request is, and the id in its path; null: none of them. */
export function matchCall<Operation>(
  paths: readonly (readonly [RegExp, Operation])[],
  line: string,
): { operation: Operation; id: string } | null {
  for (const [path, operation] of paths) {
    const match = path.exec(line);
    if (match) return { operation, id: match[1] ?? '' };
  }
  return null;
}

/** Undefined: it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
