import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GateCommands } from '../commands/gate-commands.ts';
import { LOG_EVENTS } from '../events.ts';
import type { Health } from '../health/health.ts';
import type { Metrics } from '../health/metrics.ts';
import { listen, stopListening } from '../listen.ts';
import { type BoardSources, createBoardNews } from './board-news.ts';
import { callDevices, DeviceCallSchema } from './device-calls.ts';
import { createEventStreams } from './event-streams.ts';
import { callGates, GateCallSchema } from './gate-calls.ts';
import type { KioskCalls } from './kiosk-calls.ts';
import { loadKioskPage } from './kiosk-page.ts';
import { loadLanePage } from './lane-page.ts';
import { isLoopbackHost } from './loopback-host.ts';
import { callPayments, PaymentCallSchema } from './payment-calls.ts';
import { sendJson } from './send-json.ts';
import { findFaults, reportHealth } from './site-health.ts';
import { createTechnicianCall } from './technician-call.ts';

/** Of every answer. The page brings along all it needs, and nothing may be put around it. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const BEAT_MS = 10_000;

type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The daemon's own small server, for people and programs on this machine. */
export interface LocalApi {
  start(): Promise<{ url: string }>;
  stop(): Promise<void>;
}

/**
 * `GET /` is the page of the lanes, `GET /kiosk/` the one at which drivers pay; `/api/lanes`, `/api/devices` and
 * `/api/events` are what the first shows, `/health` and `/metrics` are for monitoring. On the loopback interface only:
 * plates are personal data. All of that reads, and changes nothing. For who knows the secret that lies in the data
 * folder, `POST /api/gates` moves gates, `POST /api/devices` tries refused logins again, and `POST /api/payments` hears
 * what became of payments that nobody knew of. `/api/kiosk/` is for drivers at the kiosk.
 */
export function createLocalApi(
  parts: BoardSources & {
    port: number;
    commands: Pick<GateCommands, 'move'>;
    health: Pick<Health, 'tryAgain'>;
    metrics: Pick<Metrics, 'text' | 'contentType'>;
    /** Absent: there are no drivers here to answer. */
    kiosk?: KioskCalls;
    payments: Parameters<typeof callPayments>[0];
    /** Of the technician's tools. */
    secret: string;
    /**
     * Writes something through the way that passages take; rejects where the disk or the database does not go along.
     */
    checkStorage: () => Promise<unknown>;
    log: Logger;
    beatMs?: number;
  },
): LocalApi {
  const { board, health, clock, log } = parts;
  const startedAt = utcTime(clock.now());
  const streams = createEventStreams();
  const news = createBoardNews(parts, streams, parts.beatMs ?? BEAT_MS);

  const routes = new Map<string, Route>([
    ...loadLanePage(),
    ...loadKioskPage(),
    ['/health', answerHealth],
    ['/api/lanes', (_request, response) => sendJson(response, 200, { lanes: board.lanes() })],
    ['/api/devices', (_request, response) => sendJson(response, 200, { devices: health.devices() })],
    ['/api/events', answerEvents],
    ['/metrics', answerMetrics],
  ]);

  /** What changes something, by path. */
  const calls = new Map<string, Route>([
    ['/api/gates', createTechnicianCall(GateCallSchema, (call) => callGates(parts.commands, call), parts)],
    ['/api/devices', createTechnicianCall(DeviceCallSchema, (call) => callDevices(health, call), parts)],
    [
      '/api/payments',
      createTechnicianCall(PaymentCallSchema, (call) => callPayments(parts.payments, call), parts),
    ],
  ]);

  async function answerHealth(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    const faults = await findFaults(parts.checkStorage);
    const report = reportHealth({ startedAt, faults, ...news.state() });
    sendJson(response, report.status === 'failing' ? 503 : 200, report);
  }

  async function answerMetrics(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await parts.metrics.text();
    response
      .writeHead(200, {
        'content-type': parts.metrics.contentType,
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
      })
      .end(text);
  }

  function answerEvents(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'HEAD') sendJson(response, 200, {});
    else if (!streams.open(response, 'state', news.state())) {
      refuse(503, 'Too many read the events already.')(request, response);
    }
  }

  function routeOf(request: IncomingMessage): Route {
    if (!isLoopbackHost(request.headers.host)) return refuse(421, 'This server has no such host name.');
    const path = request.url?.split('?', 1)[0] ?? '';
    if (parts.kiosk?.has(path)) return parts.kiosk.answer;
    const [route, call] = [routes.get(path), calls.get(path)];
    if (route && (request.method === 'GET' || request.method === 'HEAD')) return route;
    if (call && request.method === 'POST') return call;
    if (!route && !call) return refuse(404, 'There is nothing here.');
    if (!call) return refuse(405, 'This can only be read: use GET.', { allow: 'GET, HEAD' });
    return refuse(405, 'Use POST.', { allow: route ? 'GET, HEAD, POST' : 'POST' });
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await routeOf(request)(request, response);
    } catch (error) {
      log.error({ event: LOG_EVENTS.boardRequestFailed, err: error });
      if (response.headersSent) response.destroy();
      else refuse(500, 'This could not be answered; the log says why.')(request, response);
    }
  }

  return {
    start: async () => ({
      url: await listen(server, { host: '127.0.0.1', port: parts.port, setBy: 'HLID_EDGE_PORT' }),
    }),
    async stop() {
      news.stop();
      streams.close();
      parts.kiosk?.stop();
      await stopListening(server);
    },
  };
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Route {
  return (_request, response) => sendJson(response, status, { messages: [message] }, headers);
}
