import { type ScanJob, scanKey } from './scan-job.ts';
import { sql } from './sql.ts';

/** This number of findings is enough. */
const MAX_FINDINGS = 5;

export const QUICK_CHECK = scanKey<null, string>('quick-check');

/**
 * Reads the whole database once, and gives what is wrong with it; nothing where it is whole. One read, because only that
 * sees a page that two tables share; the write-ahead log can only grow meanwhile.
 */
export const scanQuickCheck: ScanJob<null, string> = async function* (db) {
  const rows = await db.read(
    async (q) => await q.all<{ quick_check: string }>(sql.raw(`PRAGMA quick_check(${MAX_FINDINGS})`)),
  );
  for (const { quick_check: finding } of rows) if (finding !== 'ok') yield finding;
};
