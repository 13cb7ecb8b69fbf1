import { Duplex } from 'node:stream';

/** The most bytes after the fixed header of an MQTT packet. */
export const MAX_PACKET_BYTES = 1024 * 1024;
/** The first packet of a connection, CONNECT: two ids, a secret and a will. */
export const MAX_CONNECT_BYTES = 8 * 1024;
/**
 * The most bytes that are read before the login: what a client sends beyond that waits until it is admitted.
 */
const MAX_BEFORE_LOGIN_BYTES = 16 * 1024;
/**
 * Taken in before the sender is held up: all that a site sends before it waits, so that it need not come in by pieces.
 */
const WAITING_BYTES = 512 * 1024;

/**
 * A connection that breaks off as soon as a packet announces a larger size than allowed. MQTT 3.1.1, section
 * 2.2.3: a type byte, then the remaining length, seven bits a byte, lowest first. The broker itself would
 * collect 256 MB.
 */
export class FrameGuard extends Duplex {
  readonly #socket: Duplex;
  readonly #maxBytes: number;
  /** The part of the current packet that comes next: its type, its length, or its body. */
  #state: 'type' | 'length' | 'body' = 'type';
  #remaining = 0;
  #shift = 0;
  #packets = 0;
  #admitted = false;
  #beforeLogin = 0;

  constructor(socket: Duplex, maxBytes = MAX_PACKET_BYTES) {
    super({ readableHighWaterMark: WAITING_BYTES });
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.pause();
  }

  /** It has logged in. */
  admit(): void {
    this.#admitted = true;
    this.#socket.resume();
  }

  #take(chunk: Buffer): void {
    if (!this.#admits(chunk)) {
      this.destroy(new Error(`a packet of more than ${this.#max()} bytes`));
      return;
    }
    if (!this.#admitted) this.#beforeLogin += chunk.length;
    if (!this.push(chunk) || this.#mustWait()) this.#socket.pause();
  }

  #mustWait(): boolean {
    return !this.#admitted && this.#beforeLogin >= MAX_BEFORE_LOGIN_BYTES;
  }

  #max(): number {
    return this.#packets <= 1 ? Math.min(MAX_CONNECT_BYTES, this.#maxBytes) : this.#maxBytes;
  }

  #admits(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'body') {
        const skipped = Math.min(this.#remaining, chunk.length - at);
        at += skipped;
        this.#remaining -= skipped;
        if (this.#remaining === 0) this.#state = 'type';
      } else if (this.#state === 'type') {
        at++;
        this.#packets++;
        this.#state = 'length';
        this.#remaining = 0;
        this.#shift = 0;
      } else {
        const byte = chunk[at++] ?? 0;
        this.#remaining += (byte & 0x7f) * 2 ** this.#shift;
        this.#shift += 7;
        if (this.#remaining > this.#max() || this.#shift > 28) return false;
        if (byte < 0x80) this.#state = this.#remaining === 0 ? 'type' : 'body';
      }
    }
    return true;
  }

  override _read(): void {
    if (!this.#mustWait()) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
