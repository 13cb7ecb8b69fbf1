import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** For tests: how many events a site's database has without its write-ahead log. */
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
