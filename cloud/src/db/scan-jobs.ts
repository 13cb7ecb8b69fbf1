import type { Db } from './db.ts';

/** What a scan reads on. Each `read` sees one committed state and is short: a long scan reads page by page. */
export type ScanDb = Pick<Db, 'read'>;

/**
 * Long work on the database that only reads. It gets what can be cloned, gives pieces that can be cloned, and is
 * broken off between two reads where nobody wants it any more: in a `finally` it gives back what it took.
 */
export type ScanJob<Given, Piece> = (db: ScanDb, given: Given) => AsyncGenerator<Piece>;

/** Every scan there is, by name. A new one: its file, and its line here. */
const SCAN_JOBS = {
  'visit-stats': async () => (await import('../reports/scan-visit-stats.ts')).scanVisitStats,
  traffic: async () => (await import('../reports/scan-traffic.ts')).scanTraffic,
  'quick-check': async () => (await import('./scan-quick-check.ts')).scanQuickCheck,
  'visit-file': async () => (await import('../reports/scan-visit-file.ts')).scanVisitFile,
};

export type ScanName = keyof typeof SCAN_JOBS;
type JobOf<Name extends ScanName> = Awaited<ReturnType<(typeof SCAN_JOBS)[Name]>>;
export type ScanGiven<Name extends ScanName> = Parameters<JobOf<Name>>[1];
export type ScanPiece<Name extends ScanName> =
  ReturnType<JobOf<Name>> extends AsyncGenerator<infer Piece> ? Piece : never;

/** The job of a name that has come from another thread, where it was checked. */
export async function scanJob(name: ScanName): Promise<ScanJob<unknown, unknown>> {
  return (await SCAN_JOBS[name]()) as ScanJob<unknown, unknown>;
}
