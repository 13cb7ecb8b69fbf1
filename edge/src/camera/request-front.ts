import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { headLength, repairHead } from './repair-request.ts';

/** A longer head is given to Node.js as it is. */
const MAX_HEAD_BYTES = 16 * 1024;
/** A sender that gives no length and keeps its connection open has sent all by then. */
const SILENCE_ENDS_MS = 2000;

/** A front reads the first request of each connection before the server does. */
export interface RequestFront {
  /** Gives the connection, or what stands for it, to the server. */
  hand(stream: Duplex): void;
  /** The head did not come in time. */
  late(socket: Socket): void;
  /** The request was mended. */
  mended(target: string, faults: readonly string[], remote: string | undefined): void;
  timeoutMs: number;
}

/**
 * Looks at the head of the first request on a connection, before Node.js does, and mends what it would refuse. Devices
 * that speak badly do so at once; a request that is in order is passed on as it came.
 */
export function standBefore(socket: Socket, front: RequestFront): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => {
    leave();
    front.late(socket);
  }, front.timeoutMs);
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    const all = chunks.length === 1 ? chunk : Buffer.concat(chunks, bytes);
    const text = all.subarray(0, MAX_HEAD_BYTES).toString('latin1');
    const length = headLength(text);
    if (length === null && bytes < MAX_HEAD_BYTES) return;
    leave();
    passOn(socket, front, all, length);
  };
  const onGone = () => {
    leave();
    // A connection that ended within the head is given to Node.js as it is.
    if (socket.destroyed) return;
    const rest = new MendedConnection(socket, Buffer.concat(chunks, bytes), 'ended');
    front.hand(rest);
  };
  const leave = () => {
    clearTimeout(timer);
    socket.off('data', onData).off('end', onGone).off('error', onGone).off('close', onGone);
  };
  socket.on('data', onData).on('end', onGone).on('error', onGone).on('close', onGone);
}

function passOn(socket: Socket, front: RequestFront, all: Buffer, length: number | null): void {
  const head = length === null ? null : all.subarray(0, length).toString('latin1');
  const mended = head === null || length === null ? null : repairHead(head, all.length > length);
  if (mended === null || length === null) {
    handBack(socket, front, all);
    return;
  }
  front.mended(targetIn(mended.head), mended.faults, socket.remoteAddress);
  const start = Buffer.from(mended.head, 'latin1');
  const rest = all.subarray(length);
  if (mended.untilClose) front.hand(new MendedConnection(socket, start, 'until-close', rest));
  else handBack(socket, front, Buffer.concat([start, rest]));
}

function handBack(socket: Socket, front: RequestFront, bytes: Buffer): void {
  socket.pause();
  socket.unshift(bytes);
  front.hand(socket);
  process.nextTick(() => socket.resume());
}

function targetIn(head: string): string {
  return head.split(' ', 2)[1] ?? '';
}

/**
 * A connection with one request that has a body and no length: for Node.js it comes in chunks. `ended`:
 * nothing more comes than what is there.
 */
class MendedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly #socket: Socket;
  #silence: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(socket: Socket, start: Buffer, kind: 'until-close' | 'ended', rest: Buffer = Buffer.alloc(0)) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress;
    this.push(start);
    socket.on('error', () => this.destroy()).on('close', () => this.destroy());
    if (kind === 'ended') {
      this.push(null);
      return;
    }
    socket.on('data', (chunk: Buffer) => this.#pushChunk(chunk)).on('end', () => this.#finish());
    this.#pushChunk(rest);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#silence);
    this.#socket.destroy();
    done(error);
  }

  #pushChunk(chunk: Buffer): void {
    if (this.#isOver) return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#finish(), SILENCE_ENDS_MS);
    if (chunk.length === 0) return;
    const size = Buffer.from(`${chunk.length.toString(16)}\r\n`, 'latin1');
    if (!this.push(Buffer.concat([size, chunk, Buffer.from('\r\n')]))) this.#socket.pause();
  }

  #finish(): void {
    clearTimeout(this.#silence);
    if (this.#isOver) return;
    this.#isOver = true;
    this.push(Buffer.from('0\r\n\r\n'));
  }
}
