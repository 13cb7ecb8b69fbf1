import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Server, Socket } from 'node:net';
import type { Clock } from '@hlid/node/clock';
import { type ListenAt, listenPatiently, stopListening } from '@hlid/node/listen';
import type { TlsFiles } from '@hlid/node/tls-files';
import { isPacked } from '@hlid/node/unpack-document';
import { Crowd } from '@hlid/protocol/base/crowd';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { DocumentResult, StoredReads } from '@hlid/protocol/camera/camera-format';
import { CAMERA_FORMATS, type CameraFormat } from '@hlid/protocol/camera/camera-formats';
import { MAX_DOCUMENT_BYTES, MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import type { CameraDocument, Shortening } from '@hlid/protocol/plate/plate-read';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { CameraConfig } from '../config/config.ts';
import { createAdmission, tooLarge } from './admit-document.ts';
import type { CameraWatch } from './camera-watch.ts';
import { isCameraFormat, readPushAddress } from './push-address.ts';
import { answer, answerAndClose, answerBrokenRequest, type PushRefusal } from './push-answer.ts';
import { type BodyRead, createCameraBudgets, readBody } from './read-body.ts';
import type { ReadHandler } from './read-handler.ts';
import { standBefore } from './request-front.ts';
import { type Unpacked, unpackBody } from './unpack-body.ts';

/** The limits of the server's requests. */
export interface PushLimits {
  /** The size of one document as it is parsed. A larger one loses its large pictures. */
  maxBodyBytes: number;
  /** The size of one document as it is sent. */
  maxSentBytes: number;
  /** The total size of all documents that are being read. */
  maxOpenBytes: number;
  /** The part of `maxOpenBytes` that one camera may use. */
  maxCameraBytes: number;
  /** Documents of one camera that are being read. */
  maxCameraDocuments: number;
  /** Beyond that, connections on which nothing is under way make room, first those of the address that has most. */
  maxConnections: number;
  headersTimeoutMs: number;
  /** The timeout of a whole request: a camera on a thin line needs long for its pictures. */
  requestTimeoutMs: number;
}

const LIMITS: PushLimits = {
  maxBodyBytes: MAX_DOCUMENT_BYTES,
  maxSentBytes: MAX_SENT_BYTES,
  maxOpenBytes: 64 * 1024 * 1024,
  maxCameraBytes: 16 * 1024 * 1024,
  maxCameraDocuments: 16,
  maxConnections: 1000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: MINUTE_MS,
};

/** Refusals of a document that came with its camera's token. */
const ABOUT_A_DOCUMENT: ReadonlySet<number> = new Set([400, 413, 415]);

/** Beyond that, mended requests are no longer logged. */
const MAX_MENDED = 1000;

/** The error that Node.js raises when a request's head takes too long. */
class SlowHead extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** The port for cameras that push by https. */
interface PushTls {
  host: string;
  port: number;
  files: TlsFiles;
}

/** A body, without what was left out of it. */
interface ReceivedBody {
  body: Uint8Array;
  shortening: Shortening | null;
}

/** A document that was stored: the answer to its sender. */
interface Answered {
  answer: object;
}

/**
 * The camera push server: `POST /cameras/{cameraId}/{format}?token=…`. It answers 200 only when every read of the
 * document is on the disk; whatever it refuses has changed nothing. On plain `node:http`, since this is the way on
 * which a driver waits.
 */
export class CameraPush {
  readonly #reads: Pick<ReadHandler, 'handle'>;
  readonly #watch: Pick<CameraWatch, 'documentArrived' | 'documentMended' | 'documentRefused'>;
  readonly #address: { host: string; port: number };
  readonly #timeZone: { timeZone?: string };
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #limits: PushLimits;
  readonly #admit: ReturnType<typeof createAdmission>;
  readonly #budgets: ReturnType<typeof createCameraBudgets>;
  readonly #server: http.Server;
  readonly #tls: { at: PushTls; server: https.Server } | null;
  readonly #idle = new Crowd<Socket>();
  /** The address from which each camera posted last. */
  readonly #addresses = new Map<string, string>();
  /** Connections with a request under way: what breaks there is logged with the request. */
  readonly #busy = new WeakSet<object>();
  /** The cameras with corrected requests, and the corrections. */
  readonly #mended = new Set<string>();
  #connections = 0;

  constructor(options: {
    cameras: readonly CameraConfig[];
    host: string;
    port: number;
    reads: Pick<ReadHandler, 'handle'>;
    watch: Pick<CameraWatch, 'documentArrived' | 'documentMended' | 'documentRefused'>;
    /** The site's time zone, for cameras that write local time; absent: UTC. */
    timeZone?: string;
    clock: Clock;
    log: Logger;
    limits?: Partial<PushLimits>;
    /** Absent: cameras cannot push by https. */
    tls?: PushTls;
  }) {
    const { host, port, timeZone } = options;
    this.#reads = options.reads;
    this.#watch = options.watch;
    this.#address = { host, port };
    this.#timeZone = timeZone === undefined ? {} : { timeZone };
    this.#clock = options.clock;
    this.#log = options.log;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#admit = createAdmission(options.cameras, this.#limits.maxSentBytes);
    this.#budgets = createCameraBudgets(this.#limits);
    this.#server = this.#createServer();
    this.#tls = options.tls ? { at: options.tls, server: this.#createTlsServer(options.tls) } : null;
  }

  async start(): Promise<{ url: string; tlsUrl: string | null }> {
    const url = `http://${await this.#listen(this.#server, this.#address, { hostSetBy: 'cameraHost', portSetBy: 'HLID_CAMERA_PORT' })}`;
    if (this.#tls === null) return { url, tlsUrl: null };
    const { at, server } = this.#tls;
    try {
      const settings = { hostSetBy: 'cameraTls.host', portSetBy: 'cameraTls.port' };
      return { url, tlsUrl: `https://${await this.#listen(server, at, settings)}` };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#server, this.#tls?.server].map((server) => server && stopListening(server)));
  }

  /** The rest of the daemon works while an address is missing: gates, and cameras that the daemon polls. */
  #listen(server: Server, at: ListenAt, settings: { hostSetBy: string; portSetBy: string }): Promise<string> {
    return listenPatiently(server, at, {
      ...settings,
      retries: 'missing-address',
      onWaiting: (reason) => this.#log.error({ event: LOG_EVENTS.notListening, reason }),
      onListening: (address) => this.#log.info({ event: LOG_EVENTS.listening, address }),
    });
  }

  /** The address in the network from which a camera posts; null: it has not posted, or it is a program of this machine. */
  addressOf(cameraId: string): string | null {
    const address = this.#addresses.get(cameraId)?.replace(/^::ffff:/, '') ?? null;
    return address === null || address.startsWith('127.') || address === '::1' ? null : address;
  }

  #createServer(): http.Server {
    const server = http.createServer(this.#serverOptions());
    this.#standBefore(server, 'connection');
    this.#handle(server);
    return server;
  }

  #createTlsServer({ files }: PushTls): https.Server {
    const { headersTimeoutMs, maxConnections } = this.#limits;
    const server = https.createServer({ ...this.#serverOptions(), handshakeTimeout: headersTimeoutMs });
    files.serve(server);
    // Connections that have not finished their handshake count too.
    server.maxConnections = maxConnections;
    this.#standBefore(server, 'secureConnection');
    server.on('tlsClientError', (error, socket) => {
      this.#logRefusal({ status: 400, messages: [`TLS: ${messageOf(error)}`] }, socket.remoteAddress);
    });
    this.#handle(server);
    return server;
  }

  /** The head of each connection's first request is mended before Node.js sees it, where that is needed. */
  #standBefore(server: http.Server | https.Server, event: 'connection' | 'secureConnection'): void {
    const accept = server.listeners(event);
    server.removeAllListeners(event);
    server.on(event, (socket: Socket) => {
      this.#onConnection(socket);
      standBefore(socket, {
        timeoutMs: this.#limits.headersTimeoutMs,
        hand: (stream) => {
          // A stand-in for the socket has a request under way until it closes.
          if (stream !== socket) this.#idle.remove(socket);
          for (const listener of accept) listener.call(server, stream);
        },
        late: () => server.emit('clientError', new SlowHead(), socket),
        mended: (target, faults, remote) => this.#noteMended(target, faults, remote),
      });
    });
  }

  /**
   * Notes repaired faults of a camera's request. A request without the camera's token is not shown as the
   * camera's.
   */
  #noteMended(target: string, faults: readonly string[], remote: string | undefined): void {
    const admission = this.#admit({ method: 'POST', url: target, headers: {} });
    if (admission.ok) this.#watch.documentMended(admission.camera.id, faults, this.#clock.now());
    this.#logMended(readPushAddress(target)?.cameraId.slice(0, 64) ?? null, faults, remote);
  }

  /** Once for each camera and fault: it sends every document so. */
  #logMended(cameraId: string | null, faults: readonly string[], remote: string | undefined): void {
    const key = JSON.stringify([cameraId, faults]);
    if (this.#mended.has(key) || this.#mended.size >= MAX_MENDED) return;
    this.#mended.add(key);
    this.#log.warn({ event: LOG_EVENTS.cameraRequestMended, cameraId, faults, remote });
  }

  #serverOptions(): http.ServerOptions {
    const { headersTimeoutMs, requestTimeoutMs } = this.#limits;
    return {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 2000),
      keepAliveTimeout: 65_000,
      // Cameras send HTTP/1.1 without a Host header, line ends without CR, and values with control characters.
      requireHostHeader: false,
      insecureHTTPParser: true,
    };
  }

  #handle(server: http.Server | https.Server): void {
    server.on('request', (request, response) => void this.#serve(request, response));
    // Asked first whether it may send: a body that will be refused need not travel.
    server.on('checkContinue', (request, response) => void this.#serve(request, response));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const status = answerBrokenRequest(error, socket);
      const messages = [messageOf(error)];
      if (this.#busy.has(socket)) return;
      const target = targetOf(error);
      const remote = 'remoteAddress' in socket ? String(socket.remoteAddress) : undefined;
      this.#logRefusal({ status, messages }, remote, target);
      this.#showBroken(target, messages);
    });
  }

  /** A broken request that names a camera and its token is shown where its installer looks. */
  #showBroken(target: string, messages: readonly string[]): void {
    const admission = this.#admit({ method: 'POST', url: target, headers: {} });
    if (!admission.ok) return;
    const detail = `The request is broken: ${messages.join(' ')}`;
    this.#watch.documentRefused(admission.camera.id, { reason: 'malformed', detail });
  }

  #onConnection(socket: Socket): void {
    this.#connections++;
    socket.once('close', () => {
      this.#connections--;
      this.#idle.remove(socket);
    });
    this.#idle.add(socket, socket.remoteAddress ?? '');
    if (this.#connections > this.#limits.maxConnections) (this.#idle.first() ?? socket).destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    this.#busy.add(socket);
    this.#idle.remove(socket);
    response.once('close', () => {
      if (!socket.destroyed) this.#idle.add(socket, socket.remoteAddress ?? '');
    });
    // A camera that hangs up breaks its own answer only.
    response.on('error', () => undefined);
    const result = await this.#receive(request, response).catch((error: unknown): PushRefusal => {
      this.#log.error({ event: LOG_EVENTS.cameraDocumentFailed, err: error });
      return { status: 500, messages: ['The document could not be stored; send it again.'] };
    });
    this.#busy.delete(socket);
    if ('status' in result) this.#refuse(request, response, result);
    else answer(response, 200, result.answer);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: PushRefusal): void {
    const { status, reason, messages, headers } = refusal;
    this.#logRefusal(refusal, request.socket.remoteAddress, request.url);
    const address = readPushAddress(request.url ?? '');
    const body = answerOf(address?.format, { ok: false, messages });
    // A sender that broke off gets no answer: its connection is gone.
    if (reason === 'cut-off') return;
    if (address && ABOUT_A_DOCUMENT.has(status)) {
      this.#watch.documentRefused(address.cameraId, { reason, detail: messages.join(' ') });
    }
    // After 413 the rest of the document is discarded and the connection closed, even if all of it has come.
    if (request.complete && status !== 413) answer(response, status, body, headers);
    else answerAndClose(request, response, refusal, body);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<Answered | PushRefusal> {
    const admission = this.#admit(request);
    if (!admission.ok) return admission.refusal;
    const { camera } = admission;
    const { maxBodyBytes: maxBytes, maxSentBytes } = this.#limits;
    const limits = { maxBytes, maxSentBytes };
    this.#addresses.set(camera.id, request.socket.remoteAddress ?? '');
    const budget = this.#budgets.enter(camera.id);
    if (budget === null) return refusalOf({ reason: 'no-memory' }, 0);
    let received: ReceivedBody;
    try {
      if (request.headers.expect !== undefined) response.writeContinue();
      const read = await readBody(request, limits, budget);
      if (!read.ok) return refusalOf(read, read.bytes);
      const unpacked = isPacked(read.body) ? await unpackBody(read.body, limits, budget) : read;
      if (!unpacked.ok) return refusalOf(unpacked, read.bytes);
      received = unpacked;
    } finally {
      this.#budgets.leave(camera.id);
    }
    return this.#parse(camera, admission.format, received, request);
  }

  async #parse(
    camera: CameraConfig,
    format: CameraFormat,
    { body, shortening }: ReceivedBody,
    request: IncomingMessage,
  ): Promise<Answered | PushRefusal> {
    const receivedAt = this.#clock.now();
    const parsed = CAMERA_FORMATS[format].parse(body, {
      headers: singleHeaders(request),
      receivedAt: utcTime(receivedAt),
      shortening,
      ...this.#timeZone,
    });
    if (!parsed.ok) {
      const { reason, message } = parsed.refusal;
      return { status: 400, reason, messages: [message] };
    }
    const document = camera.opensOnGroup ? withGroupsLive(parsed.document) : parsed.document;
    const { kind, faults = [] } = document;
    this.#watch.documentArrived(camera.id, document, receivedAt);
    if (faults.length > 0) this.#logMended(camera.id, faults, request.socket.remoteAddress);
    const reads: StoredReads =
      document.reads.length === 0
        ? { stored: 0, repeated: 0 }
        : await this.#reads.handle(camera.id, document, receivedAt);
    this.#log.debug({ event: LOG_EVENTS.cameraDocumentTaken, cameraId: camera.id, kind, ...reads });
    return { answer: answerOf(format, { ok: true, kind, reads }) };
  }

  #logRefusal(refusal: PushRefusal, remote: string | undefined, target = ''): void {
    const { status, reason, messages } = refusal;
    // The address without its query, where the token is.
    const address = readPushAddress(target);
    const from = address && { cameraId: address.cameraId.slice(0, 64), format: address.format.slice(0, 64) };
    this.#log.warn({ event: LOG_EVENTS.cameraDocumentRefused, status, reason, messages, ...from, remote });
  }
}

/** The address that a broken request names, as far as its first line is there. */
function targetOf(error: Error): string {
  const packet = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : null;
  const start = packet === null ? '' : Buffer.from(packet.subarray(0, 2000)).toString('latin1');
  return /^[A-Z]{3,10} (\S+)/.exec(start)?.[1] ?? '';
}

/** The body of an answer: many makers' devices look at the status alone. */
function answerOf(format: string | undefined, result: DocumentResult): object {
  const maker = format !== undefined && isCameraFormat(format) ? CAMERA_FORMATS[format] : undefined;
  if (maker?.answer) return maker.answer(result);
  return result.ok ? result.reads : { messages: result.messages };
}

function refusalOf(
  { reason }: Pick<Exclude<BodyRead | Unpacked, { ok: true }>, 'reason'>,
  bytes: number,
): PushRefusal {
  switch (reason) {
    case 'too-large':
      return tooLarge(bytes);
    case 'no-memory': {
      const messages = ['Too many documents at once; send it again in a moment.'];
      return { status: 503, messages, headers: { 'retry-after': '1' } };
    }
    case 'cut-off': {
      const messages = [`The document was cut off after ${bytes} bytes.`];
      return { status: 400, reason: 'cut-off', messages };
    }
    case 'broken':
      return {
        status: 400,
        reason: 'malformed',
        messages: ['The document is packed and cannot be unpacked.'],
      };
    default:
      return reason satisfies never;
  }
}

/** This camera's agent sends its groups at once: the lane judges their age like that of any read. */
function withGroupsLive(document: CameraDocument): CameraDocument {
  if (!document.summary) return document;
  return { ...document, summary: false, reads: document.reads.map((read) => ({ ...read, late: false })) };
}

function singleHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
