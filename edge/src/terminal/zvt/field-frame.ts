import { joinBytes } from './bcd-frame.ts';
import { misread } from './misread.ts';
import { readTlvLength, writeTlvLength } from './tlv-frame.ts';

/** A field ("BMP") of a message: its id, and its value without any length. */
export interface Field {
  id: number;
  value: Uint8Array;
}

/**
 * The length of a field: a number of bytes, two or three length digits before it (LLVAR, LLLVAR), or a TLV
 * length.
 */
type FieldLength = number | 'LL' | 'LLL' | 'TLV';

/** The lengths of the table of fields in PA00P015; fields behind an unknown id cannot be read. */
const LENGTHS: Readonly<Record<number, FieldLength>> = {
  1: 1,
  2: 1,
  3: 1,
  4: 6,
  5: 1,
  6: 'TLV',
  11: 3,
  12: 3,
  13: 2,
  14: 2,
  23: 2,
  25: 1,
  34: 'LL',
  35: 'LL',
  36: 'LLL',
  39: 1,
  41: 4,
  42: 15,
  45: 'LL',
  46: 'LLL',
  55: 3,
  58: 2,
  59: 8,
  60: 'LLL',
  61: 3,
  73: 2,
  96: 'LLL',
  112: 4,
  113: 4,
  114: 1,
  115: 1,
  116: 1,
  117: 1,
  135: 2,
  136: 3,
  138: 1,
  139: 'LL',
  140: 1,
  146: 'LLL',
  154: 'LLL',
  160: 1,
  167: 'LL',
  168: 'LLL',
  169: 'LL',
  170: 3,
  175: 'LLL',
  186: 5,
  208: 1,
  209: 'LL',
  210: 1,
  211: 1,
  224: 1,
  225: 'LL',
  226: 'LL',
  227: 'LL',
  228: 'LL',
  229: 'LL',
  230: 'LL',
  231: 'LL',
  232: 'LL',
  233: 1,
  234: 1,
  235: 8,
  240: 1,
  241: 'LL',
  242: 'LL',
  243: 'LL',
  244: 'LL',
  245: 'LL',
  246: 'LL',
  247: 'LL',
  248: 'LL',
  249: 1,
  250: 1,
  251: 1,
  252: 1,
  253: 1,
};

export function isField(id: number): boolean {
  return LENGTHS[id] !== undefined;
}

/** All fields, to the last byte. Throws Fault 'peer-misbehaved'. */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const id = bytes[at] ?? 0;
    const format = LENGTHS[id];
    if (format === undefined) throw misread(`field ${nameOf(id)} is not known`);
    const { length, next } = lengthAt(bytes, at + 1, format);
    const value = bytes.slice(next, next + length);
    if (value.length < length) {
      throw misread(`field ${nameOf(id)} announces ${length} bytes, ${value.length} present`);
    }
    fields.push({ id, value });
    at = next + length;
  }
  return fields;
}

function lengthAt(bytes: Uint8Array, at: number, format: FieldLength): { length: number; next: number } {
  if (typeof format === 'number') return { length: format, next: at };
  return format === 'TLV' ? readTlvLength(bytes, at) : readDigits(bytes, at, format.length);
}

/** LLVAR: each length byte is F and a decimal digit, so F1 F8 are 18 bytes. */
export function readDigits(
  bytes: Uint8Array,
  start: number,
  count: number,
): { length: number; next: number } {
  let length = 0;
  for (let at = start; at < start + count; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0xf0 || byte > 0xf9) throw misread('a length that is not of decimal digits');
    length = length * 10 + (byte & 0x0f);
  }
  return { length, next: start + count };
}

/** Throws RangeError where a value is not as long as its field is, or longer than its length can hold. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  return joinBytes(...fields.map(({ id, value }) => joinBytes([id], lengthOf(id, value), value)));
}

function lengthOf(id: number, value: Uint8Array): ArrayLike<number> {
  const format = LENGTHS[id];
  if (format === 'TLV') return writeTlvLength(value.length);
  if (format === 'LL' || format === 'LLL') {
    if (value.length < 10 ** format.length) return writeDigits(value.length, format.length);
  } else if (format === value.length) return [];
  throw new RangeError(`field ${nameOf(id)} cannot be ${value.length} bytes long`);
}

export function writeDigits(length: number, count: number): Uint8Array {
  return Uint8Array.from(String(length).padStart(count, '0'), (digit) => 0xf0 | Number(digit));
}

function nameOf(id: number): string {
  return id.toString(16).padStart(2, '0').toUpperCase();
}
