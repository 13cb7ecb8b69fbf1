import type { NewPicture } from './picture-store.ts';

/**
 * The number of reads of one passage that have pictures, beside that of its visit: a car that stands in view
 * must not fill the disk.
 */
const MAX_READS = 3;
/** A read is worth another picture when the camera is that much surer of it. */
const MUCH_BETTER = 0.05;

/**
 * The read at which the pictures of a document are to stand; null where they are not worth keeping. The read
 * that began or ended a visit comes first, since people look at that one. It may have come without a picture.
 *
 * @param kept what is kept of the same passage
 * @param visitReadId the passage's read that stands at its visit
 */
export function placePicture(
  read: { id: string; score: number },
  kept: readonly Pick<NewPicture, 'readId' | 'score'>[],
  visitReadId: string | null,
): string | null {
  const reads = new Set(kept.map(({ readId }) => readId));
  if (visitReadId !== null && !reads.has(visitReadId)) return visitReadId;
  if (reads.size === 0) return read.id;
  if (reads.has(read.id) || reads.size >= MAX_READS) return null;
  return read.score > Math.max(...kept.map(({ score }) => score)) + MUCH_BETTER ? read.id : null;
}
