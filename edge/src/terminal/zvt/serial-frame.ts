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

/** What the line brought: an answer to a frame of ours, a whole frame, or one that is spoilt and wants NAK. */
export type SerialNews = { kind: 'ack' | 'nak' | 'spoilt' } | { kind: 'frame'; apdu: Uint8Array };

type Place = 'outside' | 'begun' | 'inside' | 'dle' | 'crc-low' | 'crc-high';

export interface SerialReader {
  take(chunk: Uint8Array): SerialNews[];
  /** Whether a frame has begun that is not whole yet, so that the next byte must come within T1. */
  isInside(): boolean;
  /** Forgets what has begun: T1 has passed. */
  reset(): void;
}

/** More than any message is long: what goes on beyond is noise, and must not fill the memory. */
const LONGEST_FRAME = 0x1_00_10;

/** Reads the line byte by byte, in whatever pieces it comes. */
export function createSerialReader(): SerialReader {
  let place: Place = 'outside';
  let apdu: number[] = [];
  let crcLow = 0;
  /** Something in this frame is wrong already: it is heard to its end, so that no byte of it is taken for an answer. */
  let isSpoilt = false;

  function begin(): void {
    apdu = [];
    isSpoilt = false;
    place = 'inside';
  }

  function spoil(): void {
    isSpoilt = true;
    place = 'inside';
  }

  function step(byte: number): SerialNews | null {
    switch (place) {
      case 'outside':
        if (byte === DLE) place = 'begun';
        if (byte === ACK) return { kind: 'ack' };
        return byte === NAK ? { kind: 'nak' } : null;
      case 'begun':
        if (byte === STX) begin();
        else if (byte !== DLE) spoil();
        return null;
      case 'inside':
        if (byte === DLE) place = 'dle';
        else keep(byte);
        return null;
      case 'dle':
        afterDle(byte);
        return null;
      case 'crc-low':
        crcLow = byte;
        place = 'crc-high';
        return null;
      case 'crc-high': {
        place = 'outside';
        const whole = Uint8Array.from(apdu);
        const isRight = !isSpoilt && crcOf(whole) === (crcLow | (byte << 8));
        return isRight ? { kind: 'frame', apdu: whole } : { kind: 'spoilt' };
      }
      default:
        return place satisfies never;
    }
  }

  function keep(byte: number): void {
    if (apdu.length < LONGEST_FRAME) apdu.push(byte);
    else isSpoilt = true;
  }

  function afterDle(byte: number): void {
    switch (byte) {
      case DLE:
        place = 'inside';
        keep(DLE);
        break;
      case ETX:
        place = 'crc-low';
        break;
      case STX:
        // The other side has begun anew.
        begin();
        break;
      default:
        spoil();
    }
  }

  return {
    take: (chunk) => Array.from(chunk).flatMap((byte) => step(byte) ?? []),
    isInside: () => place !== 'outside',
    reset: () => {
      place = 'outside';
    },
  };
}
