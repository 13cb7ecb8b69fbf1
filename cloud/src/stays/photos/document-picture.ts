import { keptPictures } from '@hlid/protocol/camera/kept-pictures';
import { pictureType } from '@hlid/protocol/camera/picture-type';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/site-link/edge-api';

/** A picture as it goes into the store. */
export interface NewPicture {
  contentType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/** The pictures of a document that are kept. */
export function documentPictures({ pictures }: Pick<CameraDocument, 'pictures'>) {
  return keptPictures(pictures, ({ base64 }) => pictureFrom(Buffer.from(base64, 'base64')));
}

/** Bytes that are a picture, by the first of them, since types are often wrong; null for anything else, or too much. */
export function pictureFrom(bytes: Uint8Array): NewPicture | null {
  const contentType = bytes.length > MAX_PICTURE_BYTES ? null : pictureType(bytes);
  return contentType && { contentType, bytes };
}
