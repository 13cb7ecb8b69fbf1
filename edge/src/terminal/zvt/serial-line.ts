import { createHash } from 'node:crypto';
import { SerialQueue } from '@hlid/node/serial-queues';
import { Fault } from '@hlid/protocol/base/fault';
import type { SerialBytes } from '../../base/serial-port.ts';
import { controlOf } from './apdu-frame.ts';
import type { ApduLine, LineListener } from './apdu-line.ts';
import { isAnswer } from './command-names.ts';
import { ACK, NAK, type SerialEvent, SerialReader, writeSerialFrame } from './serial-frame.ts';

export interface SerialTiming {
  /** T1: the longest gap between two bytes of a frame. */
  gapMs: number;
  /** T2: the longest wait for ACK or NAK. */
  answerMs: number;
}

/** PA00P016, 3.2. */
export const SERIAL_TIMING: SerialTiming = { gapMs: 200, answerMs: 5000 };

const MAX_SENDS = 3;

type Answer = 'ack' | 'nak' | 'silence' | 'closed';

/** One side of a serial line: each frame is answered at once, and repeated until the other side has answered it. */
export class SerialApduLine implements ApduLine {
  readonly #port: SerialBytes;
  readonly #listener: LineListener;
  readonly #timing: SerialTiming;
  readonly #reader = new SerialReader();
  #gap: NodeJS.Timeout | undefined;
  #isClosed = false;
  #onAnswer: ((answer: Answer) => void) | null = null;
  /** The frame that is being sent is a command, and not an answer. */
  #isAsking = false;
  /**
   * The newest message, until one that was sent is accepted: the same once more is a repeat, its ACK was lost. Only its
   * fingerprint, because a card's number may be in it.
   */
  #newest: string | null = null;
  readonly #sending = new SerialQueue();

  /** @param port open already: the line listens from here on */
  constructor(port: SerialBytes, listener: LineListener, timing: SerialTiming) {
    this.#port = port;
    this.#listener = listener;
    this.#timing = timing;
    port.onBytes((chunk) => this.#onBytes(chunk));
    port.onClosed(() => this.#onClosed());
  }

  send(apdu: Uint8Array): Promise<void> {
    return this.#sending.run(() => this.#sendUntilAccepted(apdu));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#gap);
    this.#onAnswer?.('closed');
    await this.#port.close();
  }

  #onBytes(chunk: Uint8Array): void {
    clearTimeout(this.#gap);
    for (const event of this.#reader.read(chunk)) this.#onEvent(event);
    if (this.#reader.isInside()) this.#gap = setTimeout(() => this.#onGap(), this.#timing.gapMs);
  }

  #onClosed(): void {
    clearTimeout(this.#gap);
    this.#onAnswer?.('closed');
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener.onClosed('the serial port is gone');
  }

  #onEvent(event: SerialEvent): void {
    switch (event.kind) {
      case 'ack':
        // The answer is forgotten at once: what follows it in the same piece is new, even if it is the same.
        if (this.#onAnswer) this.#newest = null;
        this.#onAnswer?.('ack');
        break;
      case 'nak':
        this.#onAnswer?.('nak');
        break;
      case 'spoilt':
        this.#write(Uint8Array.of(NAK));
        break;
      case 'frame': {
        this.#write(Uint8Array.of(ACK));
        const seen = createHash('sha256').update(event.apdu).digest('hex');
        if (seen === this.#newest) return;
        this.#newest = seen;
        // Only a command that has come through is answered: its ACK was lost, and repeated it could be another one.
        if (this.#isAsking && isAnswer(controlOf(event.apdu))) this.#onAnswer?.('ack');
        this.#listener.onApdu(event.apdu);
        break;
      }
      default:
        event satisfies never;
    }
  }

  #onGap(): void {
    this.#reader.reset();
    this.#write(Uint8Array.of(NAK));
  }

  #write(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#port.write(bytes);
  }

  #sendOnce(frame: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        clearTimeout(timer);
        this.#onAnswer = null;
        resolve(answer);
      };
      const timer = setTimeout(() => settle('silence'), this.#timing.answerMs);
      this.#onAnswer = settle;
      this.#write(frame);
    });
  }

  async #sendUntilAccepted(apdu: Uint8Array): Promise<void> {
    const frame = writeSerialFrame(apdu);
    this.#isAsking = !isAnswer(controlOf(apdu));
    let isCertain = true;
    for (let sends = 0; sends < MAX_SENDS; sends++) {
      if (this.#isClosed)
        throw new Fault(isCertain ? 'link-refused' : 'link-lost', 'the serial port is gone');
      const answer = await this.#sendOnce(frame);
      if (answer === 'ack') return;
      // NAK means that the frame was not understood; silence may be a lost ACK.
      isCertain = isCertain && answer === 'nak';
    }
    if (isCertain) throw new Fault('link-refused', 'the terminal does not understand what the line brings');
    throw new Fault('deadline-passed', 'nobody answers on the line');
  }
}
