import type { ReadPicture } from '../plate/plate-read.ts';

/** The type of a picture, by its first bytes; null for anything else. */
export function pictureType([a, b, c, d]: Uint8Array): ReadPicture['contentType'] | null {
  if (a === 0xff && b === 0xd8 && c === 0xff) return 'image/jpeg';
  return a === 0x89 && b === 0x50 && c === 0x4e && d === 0x47 ? 'image/png' : null;
}
