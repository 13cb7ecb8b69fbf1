import { createHash } from 'node:crypto';
import { Fault } from '@hlid/protocol/fault';
import { controlOf } from './apdu-frame.ts';
import type { ApduLine, LineListener } from './apdu-line.ts';
import { isAnswer } from './command-names.ts';
import { ACK, createSerialReader, NAK, type SerialNews, writeSerialFrame } from './serial-frame.ts';

export interface SerialTiming {
  /** T1: the longest gap between two bytes of a frame. */
  gapMs: number;
  /** T2: the longest wait for ACK or NAK. */
  answerMs: number;
}

/** PA00P016, 3.2. */
export const SERIAL_TIMING: SerialTiming = { gapMs: 200, answerMs: 5000 };

/** A port that is open. */
export interface SerialBytes {
  onBytes(listener: (chunk: Uint8Array) => void): void;
  /** Whoever closes it, and also where the cable is pulled out. */
  onClosed(listener: () => void): void;
  write(bytes: Uint8Array): void;
  close(): Promise<void>;
}

const MAX_SENDS = 3;

type Answer = 'ack' | 'nak' | 'silence' | 'closed';

/** One side of a serial line: each frame is answered at once, and repeated until the other side has answered it. */
export function createSerialLine(port: SerialBytes, listener: LineListener, timing: SerialTiming): ApduLine {
  const reader = createSerialReader();
  let gap: NodeJS.Timeout | undefined;
  let closed = false;
  let answered: ((answer: Answer) => void) | null = null;
  /** What is being sent is a command, and not an answer. */
  let asking = false;
  /**
   * The newest message, until one of ours was taken: the same once more is a repeat, its ACK was lost. Only its
   * fingerprint, for a card's number may stand in it.
   */
  let newest: string | null = null;
  let sending: Promise<unknown> = Promise.resolve();

  port.onBytes((chunk) => {
    clearTimeout(gap);
    for (const news of reader.take(chunk)) take(news);
    if (reader.isInside()) gap = setTimeout(spoilt, timing.gapMs);
  });
  port.onClosed(() => {
    clearTimeout(gap);
    answered?.('closed');
    if (closed) return;
    closed = true;
    listener.onClosed('the serial port is gone');
  });

  function take(news: SerialNews): void {
    switch (news.kind) {
      case 'ack':
        // At once: what comes behind it in the same piece is new, even where it says the same.
        if (answered) newest = null;
        answered?.('ack');
        break;
      case 'nak':
        answered?.('nak');
        break;
      case 'spoilt':
        write(Uint8Array.of(NAK));
        break;
      case 'frame': {
        write(Uint8Array.of(ACK));
        const seen = createHash('sha256').update(news.apdu).digest('hex');
        if (seen === newest) return;
        newest = seen;
        // Only a command that has come through is answered: its ACK was lost, and repeated it could be another one.
        if (asking && isAnswer(controlOf(news.apdu))) answered?.('ack');
        listener.onApdu(news.apdu);
        break;
      }
      default:
        news satisfies never;
    }
  }

  function spoilt(): void {
    reader.reset();
    write(Uint8Array.of(NAK));
  }

  function write(bytes: Uint8Array): void {
    if (!closed) port.write(bytes);
  }

  function sendOnce(frame: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle('silence'), timing.answerMs);
      function settle(answer: Answer): void {
        clearTimeout(timer);
        answered = null;
        resolve(answer);
      }
      answered = settle;
      write(frame);
    });
  }

  async function sendUntilTaken(apdu: Uint8Array): Promise<void> {
    const frame = writeSerialFrame(apdu);
    asking = !isAnswer(controlOf(apdu));
    let certain = true;
    for (let sends = 0; sends < MAX_SENDS; sends++) {
      if (closed) throw new Fault(certain ? 'link-refused' : 'link-lost', 'the serial port is gone');
      const answer = await sendOnce(frame);
      if (answer === 'ack') return;
      // NAK says that it was not understood; silence may be a lost ACK.
      certain = certain && answer === 'nak';
    }
    if (certain) throw new Fault('link-refused', 'the terminal does not understand what the line brings');
    throw new Fault('deadline-passed', 'nobody answers on the line');
  }

  return {
    send(apdu) {
      const sent = sending.then(() => sendUntilTaken(apdu));
      sending = sent.catch(() => {});
      return sent;
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(gap);
      answered?.('closed');
      await port.close();
    },
  };
}
