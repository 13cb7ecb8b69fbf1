import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request that the board got, whatever it made of it. */
interface RelayRequest {
  at: Date;
  method: string;
  path: string;
  /** Null where the path names none. */
  output: number | null;
  /** Whether a relay moved because of it. */
  acted: boolean;
}

/**
 * The fault of the board. `silent`: takes the request and never answers; `dropped`: cuts the connection in
 * the middle of its answer; `reset`: cuts it before; `slow`: acts at once, answers late; `refusing`: refuses
 * and does nothing.
 */
type RelayFault =
  | { kind: 'silent' | 'dropped' | 'reset'; acts: boolean }
  | { kind: 'slow'; answersAfterMs: number }
  | { kind: 'refusing'; status?: number };

export interface RelayOptions {
  /** 0 or nothing: a free one. */
  port?: number;
  outputs?: number;
  /** How long a pulse holds the relay. */
  pulseMs?: number;
  /** How long the gate behind it stays open after a command. */
  gateOpenMs?: number;
}

export interface Relay {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RelayRequest[];
  /** How often the output was switched on. */
  openings(output: number): number;
  gateIsOpen(output: number): boolean;
  /** The relay itself. */
  isOn(output: number): boolean;
  /** Called at each opening, at once. */
  onOpening(listener: (output: number) => void): () => void;
  /** Adds a fault to a number of requests that would switch an output (default: all). */
  fail(fault: RelayFault, times?: number): void;
  heal(): void;
  stop(): Promise<void>;
}

interface Output {
  on: boolean;
  openings: number;
  openUntil: number;
  pulse: NodeJS.Timeout | null;
}

const PATH = /^\/relay\/([1-9]\d{0,2})(?:\/(pulse|on|off))?$/;

/**
 * A relay board with gates behind its outputs, as sold for door control:
 * `POST /relay/{n}/pulse` (falls back by itself), `POST /relay/{n}/on` and `/off`, `GET /relay/{n}` for the state.
 * It is strict: anything else is refused, and so is a body.
 */
export async function startRelay(options: RelayOptions = {}): Promise<Relay> {
  const { port = 0, outputs: count = 4, pulseMs = 500, gateOpenMs = 2000 } = options;
  const outputs = Array.from(
    { length: count },
    (): Output => ({ on: false, openings: 0, openUntil: 0, pulse: null }),
  );
  const requests: RelayRequest[] = [];
  const listeners = new Set<(output: number) => void>();
  const sockets = new Set<Socket>();
  const waiting = new Set<NodeJS.Timeout>();
  let failing: { fault: RelayFault; times: number } | null = null;

  function move(output: Output, number: number, action: string): void {
    if (output.pulse) clearTimeout(output.pulse);
    output.pulse = null;
    output.on = action !== 'off';
    if (action === 'off') return;
    output.openings++;
    output.openUntil = performance.now() + gateOpenMs;
    if (action === 'pulse') {
      output.pulse = setTimeout(() => {
        output.on = false;
      }, pulseMs).unref();
    }
    for (const listener of listeners) listener(number);
  }

  function stateText(number: number, output: Output): string {
    const gate = output.on || output.openUntil > performance.now() ? 'open' : 'closed';
    return JSON.stringify({ output: number, relay: output.on ? 'on' : 'off', gate });
  }

  function nextFault(): RelayFault | null {
    if (!failing) return null;
    const { fault } = failing;
    if (--failing.times <= 0) failing = null;
    return fault;
  }

  /** Answers a command to move an output, which is carried out or not, with this fault. */
  function answerMove(response: ServerResponse, text: string, fault: RelayFault | null): void {
    switch (fault?.kind) {
      case 'refusing':
        answer(response, fault.status ?? 503, '{"error":"busy"}');
        break;
      case 'silent':
        break;
      case 'reset':
        response.socket?.resetAndDestroy();
        break;
      case 'slow': {
        const timer = setTimeout(() => {
          waiting.delete(timer);
          answer(response, 200, text);
        }, fault.answersAfterMs);
        waiting.add(timer);
        break;
      }
      case 'dropped':
        // The length promises more than is sent.
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
        response.write(text.slice(0, 5), () => response.socket?.destroy());
        break;
      default:
        answer(response, 200, text);
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { method = '', url = '' } = request;
    const entry: RelayRequest = { at: new Date(), method, path: url, output: null, acted: false };
    requests.push(entry);
    const [, digits, action] = PATH.exec(url) ?? [];
    const number = Number(digits);
    const output = outputs[number - 1];
    if (!output) {
      answer(response, 404, '{"error":"no such output"}');
      return;
    }
    entry.output = number;
    if (method !== (action ? 'POST' : 'GET')) answer(response, 405, '{"error":"wrong method"}');
    else if (body !== '') answer(response, 400, '{"error":"a body is not expected"}');
    else if (!action) answer(response, 200, stateText(number, output));
    else {
      const fault = nextFault();
      entry.acted = fault === null || fault.kind === 'slow' || (fault.kind !== 'refusing' && fault.acts);
      if (entry.acted) move(output, number, action);
      answerMove(response, stateText(number, output), fault);
    }
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body = (body + chunk.toString()).slice(0, 1024);
    });
    request.on('end', () => handle(request, response, body));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    openings: (output) => outputs[output - 1]?.openings ?? 0,
    gateIsOpen: (number) => {
      const output = outputs[number - 1];
      return output !== undefined && (output.on || output.openUntil > performance.now());
    },
    isOn: (output) => outputs[output - 1]?.on ?? false,
    onOpening(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    fail(fault, times = Number.POSITIVE_INFINITY) {
      failing = { fault, times };
    },
    heal() {
      failing = null;
    },
    async stop() {
      for (const timer of waiting) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}
