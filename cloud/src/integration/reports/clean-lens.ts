/** The advice about a camera. */
export const CAMERA_ADVICE = ['clean-lens'] as const;
export type CameraAdvice = (typeof CAMERA_ADVICE)[number];

/** The reads of a camera, and those that were of no use. */
export interface ReadCounts {
  reads: number;
  unread: number;
  corrected: number;
}

/** Fewer reads show nothing. */
const MIN_READS = 50;
/** The share of misreads from which on a lens may be dirty, and by how much it has to have grown. */
const MIN_MISREAD_SHARE = 0.05;
const MIN_GROWTH = 2;

/**
 * Advises to clean a lens: of at least 50 reads 5 % or more had no plate or one that a person had to change, and that
 * is at least twice the share of as many days before. Without 50 reads before, the share alone counts.
 */
export function adviceFor(now: ReadCounts, before: ReadCounts): CameraAdvice | null {
  if (now.reads < MIN_READS || misreadShare(now) < MIN_MISREAD_SHARE) return null;
  const isWorse = before.reads < MIN_READS || misreadShare(now) >= MIN_GROWTH * misreadShare(before);
  return isWorse ? 'clean-lens' : null;
}

/** The share of reads without a plate, or with one that a person changed. */
export function misreadShare({ reads, unread, corrected }: ReadCounts): number {
  return reads === 0 ? 0 : (unread + corrected) / reads;
}
