import type { photoTable } from '../photos/photo-table.ts';

type Read = Pick<typeof photoTable.$inferSelect, 'source' | 'standing' | 'plate'>;

/** What a read adds to the totals of its camera; null: it is not counted, as no car passed by it, or it is a test. */
export function readCounts({ source, standing, plate }: Read): {
  reads: number;
  unread: number;
  corrected: number;
} | null {
  if (source === 'test' || (standing !== 'counts' && standing !== 'low-score')) return null;
  return { reads: 1, unread: plate === null || standing === 'low-score' ? 1 : 0, corrected: 0 };
}
