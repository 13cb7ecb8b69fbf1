/** Limits of the pauses between tries. */
export interface BackoffLimits {
  firstMs: number;
  maxMs: number;
}

/** The number of doublings after which every limit is reached; 2 to the power of thousands is no number. */
const MAX_DOUBLINGS = 30;

/**
 * The pause after this number of failures in a row (1 or more): each pause is twice the one before, up to a
 * limit.
 */
export function backoffMs(failures: number, { firstMs, maxMs }: BackoffLimits): number {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.min(firstMs * 2 ** doublings, maxMs);
}
