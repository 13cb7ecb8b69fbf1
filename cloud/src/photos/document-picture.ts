import type { CameraDocument, ReadPicture } from '@hlid/protocol/plate-read';

/** A picture as it goes into the store. */
export interface NewPicture {
  contentType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/** Which of several shows most. */
const KINDS: readonly ReadPicture['kind'][] = ['overview', 'vehicle', 'plate'];

/** More than a camera makes of one vehicle. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024;
const MAGIC = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
} as const;

/** The picture of a document that shows most; null where it has none that is one. */
export function documentPicture({ pictures }: Pick<CameraDocument, 'pictures'>): NewPicture | null {
  for (const kind of KINDS) {
    for (const picture of pictures) {
      const decoded = picture.kind === kind ? decode(picture.base64) : null;
      if (decoded) return decoded;
    }
  }
  return null;
}

/** By its first bytes, whatever it is said to be; it is never decoded here. */
function decode(base64: string): NewPicture | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_PICTURE_BYTES) return null;
  for (const contentType of ['image/jpeg', 'image/png'] as const) {
    if (MAGIC[contentType].every((byte, at) => bytes[at] === byte)) return { contentType, bytes };
  }
  return null;
}
