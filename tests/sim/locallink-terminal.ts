import { randomInt, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type LocallinkBooks, openLocallinkBooks, type SimCard } from './locallink-books.ts';
import { SELF_SIGNED } from './self-signed.ts';

/** The calls by what they do. */
type LocallinkCall =
  | 'pair'
  | 'status'
  | 'sell'
  | 'reverse'
  | 'look'
  | 'cancel'
  | 'result'
  | 'x-report'
  | 'z-report';

/** `acts`: it does what it was asked for, whatever becomes of its answer. */
export type LocallinkFault =
  | { kind: 'silent'; acts: boolean }
  | { kind: 'dropped'; acts: boolean; midAnswer?: boolean }
  | { kind: 'slow'; answersAfterMs: number }
  | { kind: 'says'; status: number; text: string };

export interface LocallinkSimOptions {
  terminalId?: string;
  pairingCode?: string;
  currency?: { number: string; code: string };
  /** The time between two messages of a sale. */
  stepMs?: number;
}

export interface LocallinkSim {
  readonly port: number;
  readonly sha256: string;
  readonly books: LocallinkBooks;
  /** Calls that came, in order, also those that were turned away. */
  readonly calls: readonly LocallinkCall[];
  /** How many connections the till has reset, so that nothing of theirs comes later. */
  resets(): number;
  /** The calls that LocalLink does not have; a driver that follows the specification leaves this empty. */
  readonly offences: readonly string[];
  /** Adds a fault to a number of these calls (default: all). */
  fail(call: LocallinkCall, fault: LocallinkFault, times?: number): void;
  heal(): void;
  /** Puts a card into the driver's hand; null: none, the terminal waits. */
  present(card: SimCard | null): void;
  forgetToken(nextPairingCode: string): void;
  /** Power off and on: what is under way is lost; transactions too, where it does not `remember`. */
  restart(remember: boolean): void;
  stop(): Promise<void>;
}

const ROOT = '/locallink/1.0.0/';
type Answer = { status: number; body?: object };

/** A PAX terminal with LocalLink, by Rapyd's public documents: strict with who asks, and with what is asked. */
export async function startLocallinkTerminal(options: LocallinkSimOptions = {}): Promise<LocallinkSim> {
  const { terminalId = '34550576', stepMs = 10 } = options;
  let pairingCode = options.pairingCode ?? '3499';
  let token: string | null = null;
  const books = openLocallinkBooks({
    terminalId,
    stepMs,
    currency: options.currency ?? { number: '352', code: 'ISK' },
  });
  const calls: LocallinkCall[] = [];
  const offences: string[] = [];
  const failing = new Map<LocallinkCall, { fault: LocallinkFault; times: number }>();
  const sockets = new Set<Duplex>();
  let resets = 0;
  const timers = new Set<NodeJS.Timeout>();

  function callOf(method: string, path: string, query: URLSearchParams, body: unknown): LocallinkCall | null {
    switch (`${method} ${path}`) {
      case 'GET pair':
        return 'pair';
      case 'GET status':
        return 'status';
      case 'GET transaction':
        return 'look';
      case 'DELETE transaction':
        return 'cancel';
      case 'POST result':
        return 'result';
      case 'GET report':
        return query.get('reportType') === 'ZReport' ? 'z-report' : 'x-report';
      case 'POST transaction':
        return fieldOf(body, 'transType') === 'REVERSAL' ? 'reverse' : 'sell';
      default:
        return null;
    }
  }

  function act(call: LocallinkCall, query: URLSearchParams, body: unknown): Answer {
    const uti = query.get('uti') ?? '';
    switch (call) {
      case 'pair': {
        if (query.get('pairingCode') !== pairingCode) return { status: 400 };
        // Shown once: the next pairing shows another.
        pairingCode = String(randomInt(1000, 9999));
        token = String(randomInt(1_000_000_000, 9_999_999_999));
        return { status: 200, body: { authToken: token } };
      }
      case 'status':
        return { status: 200, body: { status: books.isBusy() ? 'TERMINAL_BUSY' : 'TERMINAL_AVAILABLE' } };
      case 'sell': {
        const amount = fieldOf(body, 'amountTrans');
        const isKnown = fieldOf(body, 'transType') === 'SALE' && typeof amount === 'number';
        if (!isKnown || !Number.isSafeInteger(amount) || amount <= 0)
          return offend('a sale without its amount');
        return started(books.sell(amount));
      }
      case 'reverse':
        return started(books.reverse(String(fieldOf(body, 'uti'))));
      case 'look': {
        const reported = books.report(uti);
        return reported ? { status: 200, body: reported } : { status: 400 };
      }
      case 'cancel':
        return { status: books.cancel() ? 200 : 400 };
      case 'result':
        return { status: books.result(uti, String(fieldOf(body, 'result'))) ? 200 : 400 };
      case 'x-report':
        return { status: 200, body: books.totals() };
      case 'z-report':
        return books.isBusy() ? { status: 400 } : { status: 200, body: { result: books.closeDay() } };
      default:
        return call satisfies never;
    }
  }

  function offend(what: string): Answer {
    offences.push(what);
    return { status: 400 };
  }

  /** Whether the call is for this terminal, from a known till, and in the specified form. */
  function turnedAway(call: LocallinkCall, tid: string | null, request: IncomingMessage): Answer | null {
    const { method, headers } = request;
    if (tid !== terminalId) return offend('another tid');
    if (method === 'POST' && headers['content-type'] !== 'application/json') {
      return offend('a body that is no JSON');
    }
    const isKnown = token !== null && headers.authorization === `Bearer ${token}`;
    return call === 'pair' || isKnown ? null : { status: 401 };
  }

  function handle(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://terminal');
    const { method = '' } = request;
    const body = readJson(text);
    const path = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : '';
    const call = callOf(method, path, searchParams, body);
    if (call) calls.push(call);
    const away = call ? turnedAway(call, searchParams.get('tid'), request) : offend(`${method} ${pathname}`);
    const fault = call && !away ? nextFault(call) : null;
    const isDone = call && !away && (!fault || fault.kind === 'slow' || ('acts' in fault && fault.acts));
    const answer = away ?? (isDone ? act(call, searchParams, body) : { status: 200 });
    respond(response, answer, fault);
  }

  function respond(response: ServerResponse, answer: Answer, fault: LocallinkFault | null): void {
    switch (fault?.kind) {
      case undefined:
        say(response, answer);
        break;
      case 'silent':
        break;
      case 'says':
        response.writeHead(fault.status).end(fault.text);
        break;
      case 'slow':
        timers.add(setTimeout(() => say(response, answer), fault.answersAfterMs));
        break;
      case 'dropped': {
        if (!fault.midAnswer) {
          response.socket?.destroy();
          break;
        }
        const whole = JSON.stringify(answer.body ?? {});
        response.writeHead(200, { 'content-length': whole.length });
        response.write(whole.slice(0, 1), () => response.socket?.destroy());
        break;
      }
      default:
        fault satisfies never;
    }
  }

  function nextFault(call: LocallinkCall): LocallinkFault | null {
    const found = failing.get(call);
    if (!found) return null;
    if (--found.times <= 0) failing.delete(call);
    return found.fault;
  }

  const server = createServer(SELF_SIGNED, (request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => handle(request, response, text));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') resets++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    sha256: new X509Certificate(SELF_SIGNED.cert).fingerprint256,
    books,
    calls,
    offences,
    resets: () => resets,
    fail(call, fault, times = Number.POSITIVE_INFINITY) {
      failing.set(call, { fault, times });
    },
    heal: () => failing.clear(),
    present: books.present,
    forgetToken(nextPairingCode) {
      token = null;
      pairingCode = nextPairingCode;
    },
    restart(remember) {
      books.restart(remember);
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      books.stop();
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function started(uti: string | null): Answer {
  return uti === null ? { status: 400 } : { status: 200, body: { uti } };
}

function say(response: ServerResponse, { status, body }: Answer): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}
