import type { Db } from './db.ts';

/**
 * The database of a scan. Each `read` sees one committed state and is short: a long scan reads page by page.
 */
export type ScanDb = Pick<Db, 'read'>;

/**
 * Long work on the database that only reads. Its input and its pieces can be cloned. It is broken off between
 * two reads when its reader stops, and releases in a `finally` what it took.
 */
export type ScanJob<Given, Piece> = (db: ScanDb, given: Given) => AsyncGenerator<Piece>;

/** The name of a scan, with the types of what it gets and gives: another thread finds its job by the name. */
export interface ScanKey<Given, Piece> {
  readonly name: string;
  /** Never there: it only carries the types. */
  readonly job?: ScanJob<Given, Piece>;
}

export function scanKey<Given, Piece>(name: string): ScanKey<Given, Piece> {
  return { name };
}

/** Loads the job of a name. @throws Error where there is none */
export type FindScanJob = (name: string) => Promise<ScanJob<unknown, unknown>>;
