import type { StoredRead } from '@hlid/protocol/site-link/site-event';

/** The fields of a read that the totals count. */
export interface JudgedRead {
  source: 'site' | 'posted' | 'test';
  standing: StoredRead['standing'];
  plate: string | null;
  /** A person changed its plate. */
  corrected: boolean;
}

/**
 * The addition of a read to the totals of its camera: it is of use, or without a plate, or with one that a
 * person changed.
 */
export interface ReadCounts {
  reads: number;
  unread: number;
  corrected: number;
}

/** The one rule of what a read adds: nothing where no car passed by it (it was parked, or is long gone), or for a test. */
export function readCounts({ source, standing, plate, corrected }: JudgedRead): ReadCounts {
  const isCounted = source !== 'test' && (standing === 'counts' || standing === 'low-score');
  const isUnread = plate === null || standing === 'low-score';
  return {
    reads: isCounted ? 1 : 0,
    unread: isCounted && isUnread && !corrected ? 1 : 0,
    corrected: isCounted && corrected ? 1 : 0,
  };
}
