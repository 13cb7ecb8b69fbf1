import type { ReadPicture } from '../plate/plate-read.ts';
import type { BodyPart } from './multipart-frame.ts';
import { pictureType } from './picture-type.ts';

/** The kinds of pictures by name; makers name them by part, file or type. */
const KINDS_BY_NAME: readonly (readonly [RegExp, ReadPicture['kind'] | null])[] = [
  // Pictures of people are never stored.
  [/pilot|driver|face|person/i, null],
  [/detect|scene|overview|background|full|frame|normal|roi|panorama/i, 'overview'],
  [/plate|cutout|(?:^|[^a-z])lp/i, 'plate'],
  [/vehicle|car/i, 'vehicle'],
];

/** The subject of a picture, by its name; undefined if unknown, null if it must not be stored. */
export function pictureKind(name: string): ReadPicture['kind'] | null | undefined {
  return KINDS_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

/** The pictures among the parts of a body: by their first bytes, since types are often wrong, and by their names. */
export function partPictures(parts: readonly BodyPart[]): ReadPicture[] {
  return parts.flatMap((part) => {
    if (!isWhole(part)) return [];
    const kind = pictureKind(part.fileName) ?? pictureKind(part.name);
    if (kind === null || (kind === undefined && pictureKind(part.fileName) === null)) return [];
    const contentType = pictureType(part.content);
    return contentType === null
      ? []
      : [{ kind: kind ?? 'overview', contentType, base64: base64Of(part.content) }];
  });
}

/** The last part of a body that broke off is whole only where its picture ends: of JPEG that shows. */
function isWhole({ content, closed }: BodyPart): boolean {
  if (closed) return true;
  let end = content.length;
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end--;
  return content[end - 2] === 0xff && content[end - 1] === 0xd9;
}

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 0x3d;

/** Base64 of bytes (RFC 4648); `Buffer` is Node's alone. */
export function base64Of(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    out[to++] = byteAt(ALPHABET, three >> 18);
    out[to++] = byteAt(ALPHABET, (three >> 12) & 63);
    out[to++] = byteAt(ALPHABET, (three >> 6) & 63);
    out[to++] = byteAt(ALPHABET, three & 63);
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return new TextDecoder().decode(out.fill(PADDING, out.length - missing));
}

function byteAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at] ?? 0) : 0;
}
