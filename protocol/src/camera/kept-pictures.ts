import type { ReadPicture } from '../plate/plate-read.ts';
import type { PictureKind } from '../site-link/edge-api.ts';

/** The kinds of pictures, the one that shows most first. */
const BY_SIGHT: readonly ReadPicture['kind'][] = ['overview', 'vehicle', 'plate'];

/**
 * The pictures of a document that are kept: the one that shows most and, beside it, the plate alone.
 *
 * @param decode null for what is no picture after all
 */
export function keptPictures<Decoded>(
  pictures: readonly ReadPicture[],
  decode: (picture: ReadPicture) => Decoded | null,
): { kind: PictureKind; picture: Decoded }[] {
  const firstOf = (kind: ReadPicture['kind']): Decoded | null => {
    for (const picture of pictures) {
      const decoded = picture.kind === kind ? decode(picture) : null;
      if (decoded !== null) return decoded;
    }
    return null;
  };
  const kept: { kind: PictureKind; picture: Decoded }[] = [];
  for (const shows of BY_SIGHT) {
    // One overview is enough; a plate beside it is another thing.
    if (kept.length > 0 && shows !== 'plate') continue;
    const picture = firstOf(shows);
    if (picture !== null) kept.push({ kind: kept.length === 0 ? 'vehicle' : 'plate', picture });
  }
  return kept;
}
