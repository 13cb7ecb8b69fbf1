import { sql } from 'drizzle-orm';
import type { ScanJob } from './scan-jobs.ts';

/** So many findings say enough. */
const MAX_FINDINGS = 5;

/**
 * Reads the whole database once, and gives what is wrong with it; nothing where it is whole. Table by table: as long as
 * a read lasts, the write-ahead log can only grow, and SQLite reads a table from its end to its start, which takes a disk
 * minutes for some gigabytes.
 */
export const scanQuickCheck: ScanJob<null, string> = async function* (db) {
  const tables = await db.read(
    async (q) => await q.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table'`),
  );
  let findings = 0;
  for (const { name } of tables) {
    const rows = await db.read(
      async (q) => await q.all<{ quick_check: string }>(sql.raw(`PRAGMA quick_check("${name}")`)),
    );
    for (const { quick_check: finding } of rows) {
      if (finding === 'ok' || findings >= MAX_FINDINGS) continue;
      findings++;
      yield finding;
    }
  }
};
