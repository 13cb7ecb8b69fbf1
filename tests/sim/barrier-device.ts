import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createLoginCheck, type OnvifLogin } from './onvif-login.ts';

/** The device's view of a request, by the maker's documents. */
export interface BarrierRequest {
  method: string;
  url: URL;
  contentType: string;
  body: string;
}

export interface BarrierAnswer {
  status: number;
  contentType: string;
  text: string;
  /** The movement of the barrier; absent: it stays as it is. */
  moves?: string;
}

type BarrierFault =
  /** Takes the request and never answers. */
  | { kind: 'silent'; acts: boolean }
  /** Acts at once, answers late. */
  | { kind: 'slow'; answersAfterMs: number }
  /** Cuts the connection, before its answer or in the middle of it. */
  | { kind: 'dropped'; acts: boolean; midAnswer: boolean };

export interface BarrierOptions {
  /** The login; null: none is needed. */
  login?: { user: string; password: string; ways?: readonly OnvifLogin[] } | null;
  /** The number of wrong logins after which every login is refused. */
  lockAfter?: number;
  /** How often a nonce is good. */
  nonceUses?: number;
}

export interface BarrierSim {
  readonly url: string;
  /** The movements of the barrier, in order. */
  readonly moved: readonly string[];
  /** Requests that came, also those that were turned away. */
  requests(): number;
  failedLogins(): number;
  /** Adds a fault to a number of the requests that it would obey (default: all). */
  fail(fault: BarrierFault, times?: number): void;
  heal(): void;
  stop(): Promise<void>;
}

/** A device with a barrier at it, over HTTP: its login, its faults; what it understands is the maker's. */
export async function startBarrier(
  understand: (request: BarrierRequest) => BarrierAnswer,
  options: BarrierOptions = {},
): Promise<BarrierSim> {
  const { login = null, lockAfter = 5, nonceUses = 1000 } = options;
  const moved: string[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<NodeJS.Timeout>();
  let requests = 0;
  let failing: { fault: BarrierFault; times: number } | null = null;
  const door = createLoginCheck({
    user: login?.user ?? '',
    password: login?.password ?? '',
    logins: login?.ways ?? ['digest-md5'],
    lockAfter,
    toleranceMs: 5000,
    nonceUses,
    now: () => new Date(),
  });

  function handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    requests++;
    const entered = login === null ? null : door.check(request, null);
    if (entered && !entered.ok) {
      if (entered.reason !== 'locked') {
        response.setHeader('www-authenticate', door.challenges(entered.reason === 'stale'));
      }
      response.writeHead(entered.reason === 'locked' ? 403 : 401).end();
      return;
    }
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', 'http://device');
    const answer = understand({ method, url, contentType: headers['content-type'] ?? '', body });
    const fault = nextFault();
    if (answer.moves !== undefined && (!fault || fault.kind === 'slow' || fault.acts))
      moved.push(answer.moves);
    say(response, answer, fault);
  }

  function nextFault(): BarrierFault | null {
    if (!failing) return null;
    const { fault } = failing;
    if (--failing.times <= 0) failing = null;
    return fault;
  }

  function say(
    response: ServerResponse,
    { status, contentType, text }: BarrierAnswer,
    fault: BarrierFault | null,
  ) {
    const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
    switch (fault?.kind) {
      case 'silent':
        return;
      case 'slow': {
        const timer = setTimeout(() => {
          waiting.delete(timer);
          response.writeHead(status, headers).end(text);
        }, fault.answersAfterMs);
        waiting.add(timer);
        return;
      }
      case 'dropped':
        if (!fault.midAnswer) return void response.socket?.destroy();
        response.writeHead(status, headers);
        response.write(text.slice(0, 8), () => response.socket?.destroy());
        return;
      default:
        response.writeHead(status, headers).end(text);
    }
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body = (body + piece.toString()).slice(0, 4096);
    });
    request.on('end', () => handle(request, response, body));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    moved,
    requests: () => requests,
    failedLogins: door.failedLogins,
    fail(fault, times = Number.POSITIVE_INFINITY) {
      failing = { fault, times };
    },
    heal() {
      failing = null;
    },
    async stop() {
      for (const timer of waiting) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
