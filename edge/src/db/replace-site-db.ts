import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeDatabase } from '@hlid/node/backup/sqlite-file';
import { syncNow } from '@hlid/node/durable-files';
import Database from 'better-sqlite3';
import { type Rescued, rescueRows } from './rescue-rows.ts';
import { openSiteDb, PAGE_BYTES, type SiteDb } from './site-db.ts';

/** The reason why a database was replaced, and its rows that were rescued. */
export interface Replaced {
  /** The reason why it could not be used. */
  reason: string;
  rescued: Rescued;
}

/** The name part of the files kept for a person beside the new database; the daemon never deletes them. */
const SET_ASIDE = '.damaged-';
/** Files of SQLite beside a database. */
const WAL = '-wal';
const SHARED = '-shm';
const HEADER_BYTES = 100;
/** The page size of databases that were made before PAGE_BYTES became smaller. */
const OLDER_PAGE_BYTES = 4096;
const MAGIC = 'SQLite format 3\0';

/**
 * Replaces a damaged database with a new one that has all readable rows. The damaged one is set aside,
 * never deleted. Throws where the folder cannot be written: then nothing has changed.
 *
 * @param source an open connection to the damaged one; null: its file is opened
 */
export function replaceSiteDb(
  path: string,
  { reason, source, at, rescue }: { reason: string; source: SiteDb | null; at: Date; rescue: boolean },
): Replaced {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.next`;
  removeDatabase(next);
  const db = openSiteDb(next);
  let rescued: Rescued = { rows: {}, damaged: [] };
  try {
    if (rescue) rescued = rescueFrom(path, source, (from) => rescueRows(from, db));
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    db.close();
    removeDatabase(next);
    throw error;
  }
  db.close();
  const aside = `${path}${SET_ASIDE}${at.toISOString().replaceAll(/[-:.]/g, '')}`;
  for (const suffix of ['', WAL]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  rmSync(path + SHARED, { force: true });
  writeFileSync(`${aside}.txt`, explanation(reason, rescued, basename(aside)), { mode: 0o600 });
  renameSync(next, path);
  syncNow(dirname(path));
  return { reason, rescued };
}

/** Completes a replacement after a power cut: the damaged file is set aside, and the new one is not in place yet. */
export function finishReplacing(path: string): void {
  if (!existsSync(path) && existsSync(`${path}.next`)) renameSync(`${path}.next`, path);
}

/** A database in memory with what decides at the lanes, for a folder that cannot be written. */
export function rescueToMemory(path: string): { db: SiteDb; rescued: Rescued } {
  const db = openSiteDb(':memory:');
  const rescued = rescueFrom(path, null, (from) => rescueRows(from, db, { essentialOnly: true }));
  return { db, rescued };
}

/** The names of the databases set aside; none where the folder cannot be read. */
export function findSetAside(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter(
      (name) => name.startsWith(basename(path) + SET_ASIDE) && !name.endsWith(WAL),
    );
  } catch {
    return [];
  }
}

const NOTHING_READABLE: Rescued = { rows: {}, damaged: ['all'] };

/** Reads from the open connection, the file, or a repaired copy of it. */
function rescueFrom(path: string, source: SiteDb | null, rescue: (from: SiteDb) => Rescued): Rescued {
  if (source?.open && isReadable(source)) return rescue(source);
  for (const open of [openFile, openCopy]) {
    try {
      const from = open(path);
      try {
        return rescue(from.db);
      } finally {
        from.close();
      }
    } catch {
      // Try the next source.
    }
  }
  return NOTHING_READABLE;
}

interface Opened {
  db: SiteDb;
  close(): void;
}

/** The file itself, read-only. */
function openFile(path: string): Opened {
  const db = new Database(path, { readonly: true });
  return tolerant(db, () => db.close());
}

/** A copy where there is space: for a folder that cannot be written, or a file with an overwritten header. */
function openCopy(path: string): Opened {
  try {
    return openCopyWith(path, PAGE_BYTES);
  } catch (error) {
    if (hasHeader(path)) throw error;
    return openCopyWith(path, OLDER_PAGE_BYTES);
  }
}

/** @param pageBytes the size of its pages where its header is lost */
function openCopyWith(path: string, pageBytes: number): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-rescue-'));
  const copy = join(folder, basename(path));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const suffix of ['', WAL]) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    if (!hasHeader(copy)) writeHeader(copy, pageBytes);
    const db = new Database(copy);
    return tolerant(db, () => {
      db.close();
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

/** Reads a file that is shorter than its header states as far as it goes. */
function tolerant(db: SiteDb, close: () => void): Opened {
  try {
    db.unsafeMode();
    db.pragma('writable_schema = ON');
    db.pragma('cell_size_check = ON');
    if (!isReadable(db)) throw new Error('nothing of it can be read');
  } catch (error) {
    close();
    throw error;
  }
  return { db, close };
}

function isReadable(db: SiteDb): boolean {
  try {
    return Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) > 0;
  } catch {
    return false;
  }
}

function hasHeader(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(MAGIC.length);
    readSync(file, header, 0, MAGIC.length, 0);
    return header.toString('latin1') === MAGIC;
  } finally {
    closeSync(file);
  }
}

/** Writes a header into a file without a valid one: the rest of the first page may be intact. */
function writeHeader(path: string, pageBytes: number): void {
  const file = openSync(path, 'r+');
  try {
    const model = new Database(':memory:');
    model.pragma(`page_size = ${pageBytes}`);
    model.exec('CREATE TABLE model (id INTEGER)');
    const whole = model.serialize();
    model.close();
    whole.writeUInt32BE(Math.floor(statSync(path).size / pageBytes), 28);
    writeSync(file, whole, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
}

function explanation(reason: string, { rows, damaged }: Rescued, name: string): string {
  const taken = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
  return `The site's database could not be used: ${reason}

It was set aside as ${name} (nothing is left where the folder itself was deleted), and a new one was begun.
Rows that the new one has from it: ${taken.join(', ') || 'none'}.
Tables of which something is missing: ${damaged.join(', ') || 'none'}.

What to do: find the cause (power cuts, a worn memory card, a program or person that changed the files). Replace the
disk if it happens again. Check the open visits of the site. The file holds number plates: give it only to a person who
repairs it, or delete it together with this text. The alarm ends when both are deleted.
`;
}
