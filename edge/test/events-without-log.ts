import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** The number of events that a site's database has without its write-ahead log, for tests. */
export function eventsWithoutLog(path: string): number {
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  const bare = new Database(copy);
  try {
    return bare.prepare<[], number>('SELECT count(*) FROM event').pluck().get() ?? 0;
  } finally {
    bare.close();
  }
}
