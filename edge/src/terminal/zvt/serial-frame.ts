import { joinBytes } from './bcd-frame.ts';

export const ACK = 0x06;
export const NAK = 0x15;
const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;

/** x^16+x^12+x^5+1, reflected. */
const POLYNOMIAL = 0x8408;

/**
 * Over a message and its ETX, without doubled DLEs. CRC-16/KERMIT: PA00P016 calls it XModem and names a polynomial that
 * is written the other way round.
 */
export function crcOf(apdu: Uint8Array): number {
  let crc = 0;
  for (const byte of joinBytes(apdu, [ETX])) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  }
  return crc;
}

/** How many bytes of a message are doubled on the wire. */
export function countStuffed(apdu: Uint8Array): number {
  return apdu.filter((byte) => byte === DLE).length;
}

export function writeSerialFrame(apdu: Uint8Array): Uint8Array {
  const stuffed = Array.from(apdu).flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  const crc = crcOf(apdu);
  return joinBytes([DLE, STX], stuffed, [DLE, ETX, crc & 0xff, crc >> 8]);
}

/**
 * An event of the line: an answer to a frame that was sent, a whole frame, or a spoilt one that is answered
 * with NAK.
 */
export type SerialEvent = { kind: 'ack' | 'nak' | 'spoilt' } | { kind: 'frame'; apdu: Uint8Array };

type Place = 'outside' | 'begun' | 'inside' | 'dle' | 'crc-low' | 'crc-high';

/** A frame longer than any message is noise, and must not fill the memory. */
const MAX_FRAME = 0x1_00_10;

/** Reads the line byte by byte, in whatever pieces it comes. */
export class SerialReader {
  #place: Place = 'outside';
  #apdu: number[] = [];
  #crcLow = 0;
  /** Something in this frame is wrong: it is read to its end, so that no byte of it is mistaken for an answer. */
  #isDamaged = false;

  read(chunk: Uint8Array): SerialEvent[] {
    return Array.from(chunk).flatMap((byte) => this.#step(byte) ?? []);
  }

  /** Whether a frame has begun that is not whole yet, so that the next byte must come within T1. */
  isInside(): boolean {
    return this.#place !== 'outside';
  }

  /** Forgets what has begun: T1 has passed. */
  reset(): void {
    this.#place = 'outside';
  }

  #step(byte: number): SerialEvent | null {
    switch (this.#place) {
      case 'outside':
        if (byte === DLE) this.#place = 'begun';
        if (byte === ACK) return { kind: 'ack' };
        return byte === NAK ? { kind: 'nak' } : null;
      case 'begun':
        if (byte === STX) this.#begin();
        else if (byte !== DLE) this.#spoil();
        return null;
      case 'inside':
        if (byte === DLE) this.#place = 'dle';
        else this.#keep(byte);
        return null;
      case 'dle':
        this.#afterDle(byte);
        return null;
      case 'crc-low':
        this.#crcLow = byte;
        this.#place = 'crc-high';
        return null;
      case 'crc-high': {
        this.#place = 'outside';
        const whole = Uint8Array.from(this.#apdu);
        const isRight = !this.#isDamaged && crcOf(whole) === (this.#crcLow | (byte << 8));
        return isRight ? { kind: 'frame', apdu: whole } : { kind: 'spoilt' };
      }
      default:
        return this.#place satisfies never;
    }
  }

  #begin(): void {
    this.#apdu = [];
    this.#isDamaged = false;
    this.#place = 'inside';
  }

  #spoil(): void {
    this.#isDamaged = true;
    this.#place = 'inside';
  }

  #keep(byte: number): void {
    if (this.#apdu.length < MAX_FRAME) this.#apdu.push(byte);
    else this.#isDamaged = true;
  }

  #afterDle(byte: number): void {
    switch (byte) {
      case DLE:
        this.#place = 'inside';
        this.#keep(DLE);
        break;
      case ETX:
        this.#place = 'crc-low';
        break;
      case STX:
        // The other side has begun again.
        this.#begin();
        break;
      default:
        this.#spoil();
    }
  }
}
