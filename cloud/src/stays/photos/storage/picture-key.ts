import type { PictureKind } from '@hlid/protocol/site-link/edge-api';
import type { photoTable } from '../../../records/photos/photo-table.ts';

type PhotoRow = typeof photoTable.$inferSelect;

/**
 * The stored pictures of a photo: those of the camera, and a thumbnail of its vehicle that the cloud makes.
 */
export type StoredKind = PictureKind | 'thumb';

/** The fields that make the usual key of a picture. */
export type PhotoOfPicture = Pick<PhotoRow, 'id' | 'siteId' | 'receivedAt'>;

type Suffix = '.jpg' | '.png';

/** The usual key of a picture in the store of pictures. */
export function usualKey(
  { id, siteId, receivedAt }: PhotoOfPicture,
  kind: StoredKind,
  suffix: Suffix,
): string {
  return `${siteId}/${receivedAt.slice(0, 10)}/${kind === 'vehicle' ? id : `${id}-${kind}`}${suffix}`;
}

/** The key of a photo's picture; null: it has none. A row has the suffix of the usual key, or another key as it is. */
export function pictureKey(
  photo: PhotoOfPicture & Pick<PhotoRow, 'url' | 'plateUrl'>,
  kind: PictureKind,
): string | null {
  const stored = kind === 'vehicle' ? photo.url : photo.plateUrl;
  return stored === '.jpg' || stored === '.png' ? usualKey(photo, kind, stored) : stored;
}
