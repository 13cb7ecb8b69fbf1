import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { CommandDesk } from '../commands/command-desk.ts';
import { LOG_EVENTS } from '../events.ts';
import { listen, stopListening } from '../listen.ts';
import { type BoardSources, createBoardNews } from './board-news.ts';
import { createEventStreams } from './event-streams.ts';
import { createGateCalls } from './gate-calls.ts';
import { loadLanePage } from './lane-page.ts';
import { isLoopbackHost } from './loopback-host.ts';
import { findFaults, reportHealth } from './site-health.ts';

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
 * `GET /` is the page of the lanes, `/api/lanes` and `/api/events` are what it shows, `/health` is for monitoring. On
 * the loopback interface only: plates are personal data. All of that reads, and changes nothing; `POST /api/gates` moves
 * gates, for who knows the secret that lies in the data folder.
 */
export function createLocalApi(
  parts: BoardSources & {
    port: number;
    commands: Pick<CommandDesk, 'move'>;
    /** Of the technician's tools. */
    secret: string;
    /** Writes something through the way that passages take; rejects where the disk or the database does not go along. */
    checkStorage: () => Promise<unknown>;
    log: Logger;
    beatMs?: number;
  },
): LocalApi {
  const { board, clock, log } = parts;
  const startedAt = utcTime(clock.now());
  const streams = createEventStreams();
  const news = createBoardNews(parts, streams, parts.beatMs ?? BEAT_MS);

  const routes = new Map<string, Route>([
    ...loadLanePage(),
    ['/health', answerHealth],
    ['/api/lanes', (_request, response) => sendJson(response, 200, { lanes: board.lanes() })],
    ['/api/events', answerEvents],
  ]);

  const moveGates = createGateCalls({
    commands: parts.commands,
    secret: parts.secret,
    answer: (response, status, body) => sendJson(response, status, body),
  });

  async function answerHealth(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    const faults = await findFaults(parts.checkStorage);
    const report = reportHealth({ startedAt, faults, ...news.state() });
    sendJson(response, report.status === 'failing' ? 503 : 200, report);
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
    if (path === '/api/gates') {
      return request.method === 'POST' ? moveGates : refuse(405, 'Use POST.', { allow: 'POST' });
    }
    const route = routes.get(path);
    if (!route) return refuse(404, 'There is nothing here.');
    if (request.method === 'GET' || request.method === 'HEAD') return route;
    return refuse(405, 'This can only be read: use GET.', { allow: 'GET, HEAD' });
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
      await stopListening(server);
    },
  };
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Route {
  return (_request, response) => sendJson(response, status, { messages: [message] }, headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    .end(text);
}
