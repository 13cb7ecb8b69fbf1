import { bytesOf, hexOf, joinBytes } from './bcd-frame.ts';
import { attempt, misread } from './misread.ts';

/** An object of a TLV container (BMP 06). */
export interface TlvObject {
  /** The tag in capital hexadecimal: `1F07`. */
  tag: string;
  value: Uint8Array;
  /**
   * The parts of a constructed object; null: a primitive one, or a maker's own that does not contain objects.
   */
  children: TlvObject[] | null;
}

/** Deeper than anything that a terminal sends; bytes that go deeper are no message. */
const DEEPEST = 16;

/** All objects, to the last byte. Throws Fault 'peer-misbehaved'. */
export function readTlv(bytes: Uint8Array, depth = 0): TlvObject[] {
  if (depth > DEEPEST) throw misread('TLV objects within too many others');
  const objects: TlvObject[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tagEnd = endOfTag(bytes, at);
    const tag = hexOf(bytes.slice(at, tagEnd)).toUpperCase();
    const { length, next } = readTlvLength(bytes, tagEnd);
    const value = bytes.slice(next, next + length);
    if (value.length < length) {
      throw misread(`TLV tag ${tag} announces ${length} bytes, ${value.length} present`);
    }
    objects.push({ tag, value, children: isConstructed(tag) ? childrenOf(tag, value, depth + 1) : null });
    at = next + length;
  }
  return objects;
}

/** BER: bit 6 of the first byte marks an object made of others. */
export function isConstructed(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
}

/** Tags of the private class (bits 8 and 7) need not contain objects: Feig's FF40 is a password. */
function childrenOf(tag: string, value: Uint8Array, depth: number): TlvObject[] | null {
  if (Number.parseInt(tag.slice(0, 2), 16) < 0xc0) return readTlv(value, depth);
  const children = attempt(() => readTlv(value, depth));
  return children.ok ? children.value : null;
}

/** BER: five bits set mean that the tag goes on, until a byte without its top bit. */
function endOfTag(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  if (((bytes[start] ?? 0) & 0x1f) !== 0x1f) return at;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) throw misread('ends within a TLV tag');
    at++;
    if ((byte & 0x80) === 0) return at;
  }
}

/** The length at `at`, and where it ends; big endian, unlike that of an APDU. */
export function readTlvLength(bytes: Uint8Array, at: number): { length: number; next: number } {
  const first = bytes[at];
  if (first === undefined) throw misread('ends before a TLV length');
  if (first < 0x80) return { length: first, next: at + 1 };
  const [high, low] = [bytes[at + 1], bytes[at + 2]];
  if (first === 0x81 && high !== undefined) return { length: high, next: at + 2 };
  if (first === 0x82 && high !== undefined && low !== undefined) {
    return { length: (high << 8) | low, next: at + 3 };
  }
  throw misread('a TLV length that is none');
}

/** An object to send: its tag in hexadecimal, and bytes or objects. */
export type TlvDraft = readonly [tag: string, content: ArrayLike<number> | readonly TlvDraft[]];

export function writeTlv(objects: readonly TlvDraft[]): Uint8Array {
  return joinBytes(
    ...objects.map(([tag, content]) => {
      const value = isDrafts(content) ? writeTlv(content) : content;
      return joinBytes(bytesOf(tag), writeTlvLength(value.length), value);
    }),
  );
}

function isDrafts(content: TlvDraft[1]): content is readonly TlvDraft[] {
  return Array.isArray(content) && Array.isArray(content[0]);
}

export function writeTlvLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  return length <= 0xff ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
}

/** The first object with that tag, however deep. */
export function findTlv(objects: readonly TlvObject[], tag: string): TlvObject | null {
  for (const object of objects) {
    const found = object.tag === tag ? object : findTlv(object.children ?? [], tag);
    if (found) return found;
  }
  return null;
}
