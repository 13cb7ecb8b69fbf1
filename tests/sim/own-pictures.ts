import { bodyBytes, type CameraPost } from './camera.ts';
import { TINY_JPEG } from './jpeg.ts';

let made = 0;

/**
 * The same document with unique pictures: simulated cameras all send the same one, in base64 or as it is.
 *
 * @returns its pictures too, in the order in which they stand in it
 */
export function withOwnPictures(document: CameraPost): { post: CameraPost; pictures: Buffer[] } {
  const bytes = Buffer.from(bodyBytes(document));
  const pictures: Buffer[] = [];
  for (const [found, written] of [
    [Buffer.from(TINY_JPEG), (picture: Buffer) => Buffer.from(picture.toString('base64'))],
    [Buffer.from(TINY_JPEG, 'base64'), (picture: Buffer) => picture],
  ] as const) {
    for (let at = bytes.indexOf(found); at !== -1; at = bytes.indexOf(found, at + found.length)) {
      const picture = ownPicture();
      pictures.push(picture);
      written(picture).copy(bytes, at);
    }
  }
  return { post: { ...document, body: new Uint8Array(bytes) }, pictures };
}

/** Makes a picture as long as the usual one, with a number in place of its colours. */
function ownPicture(): Buffer {
  const picture = Buffer.from(TINY_JPEG, 'base64');
  picture.writeUInt32BE(++made, 40);
  return picture;
}
