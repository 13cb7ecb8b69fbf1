import { chmodSync, existsSync, statSync } from 'node:fs';
import type { Clock } from '@hlid/node/clock';
import { fetchErrorCause } from '@hlid/node/errors';
import { protectFolder } from '@hlid/node/private-files';
import { isFault, messageOf } from '@hlid/protocol/base/fault';
import Database from 'better-sqlite3';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LOG_EVENTS } from '../base/events.ts';
import { finishReplacing, replaceSiteDb, rescueToMemory } from './replace-site-db.ts';
import { openSiteDb, type SiteDb, siteDbPath } from './site-db.ts';

/** How far a database is believed: as it is; only what can be read of it, copied into a new one; not at all. */
export type DatabaseTrust = 'whole' | 'readable' | 'nothing';

/** The site's database, in whatever state its file is. */
export interface OpenedSite {
  db: SiteDb;
  /**
   * Why nothing can be written: then it is in memory with what could be read, and nothing may be taken for stored.
   * Null: it lies on the disk.
   */
  unwritable: string | null;
  /** Another version of the daemon or a person is needed: the state does not pass by itself. */
  lasts: boolean;
}

/** Another program holds it, or the disk is full: that passes, and the file is left alone. */
const PASSES = ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_NOMEM'];

/**
 * Opens the site's database, and never fails: a car park without its books still opens its gates (ADR 23). One that
 * cannot be used is set aside and replaced; where the folder cannot be written, the site goes on from memory.
 */
export function openSite(
  dataDir: string,
  { trust, clock, log }: { trust: DatabaseTrust; clock: Clock; log: Logger },
): OpenedSite {
  const path = siteDbPath(dataDir);
  let reason = 'what it holds makes no sense';
  if (trust === 'whole') {
    try {
      protectFolder(dataDir);
      finishReplacing(path);
      if (existsSync(path) && statSync(path).size === 0) throw new Error('the file is empty');
      mayWrite(path);
      return { db: openToWrite(path, log), unwritable: null, lasts: false };
    } catch (error) {
      reason = messageOf(error);
      log.error({ event: LOG_EVENTS.databaseUnusable, path, reason, err: error });
      // It is whole: it is left as it is for the version that can use it, and the gates go on from memory.
      if (isFault(error, 'schema-refused') || isFault(error, 'no-room'))
        return { ...inMemory(path, reason, log), lasts: true };
      if (passes(error)) return inMemory(path, reason, log);
    }
  }
  try {
    const replaced = replaceSiteDb(path, {
      reason,
      source: null,
      at: clock.now(),
      rescue: trust !== 'nothing',
    });
    log.error({ event: LOG_EVENTS.databaseReplaced, path, reason, ...replaced.rescued });
    return { db: openSiteDb(path), unwritable: null, lasts: false };
  } catch (error) {
    log.error({ event: LOG_EVENTS.databaseUnusable, path, reason: messageOf(error), err: error });
    return inMemory(path, messageOf(error), log);
  }
}

/** Whether an error comes of what a database holds, or fails to. */
export function isAboutContent(error: unknown): boolean {
  return error instanceof Database.SqliteError || error instanceof SyntaxError || error instanceof z.ZodError;
}

/** Whether an error means that the file of a database is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/**
 * Throws where a write would: SQLite opens a read-only file without an error, and begins its transactions.
 */
export function checkWritable(db: SiteDb): void {
  const version = db.pragma('user_version', { simple: true });
  db.exec('BEGIN IMMEDIATE');
  try {
    db.pragma(`user_version = ${version}`);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

function openToWrite(path: string, log: Logger): SiteDb {
  const db = openSiteDb(path, { log });
  try {
    checkWritable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes a file of the daemon writable again if it was made read-only. */
function mayWrite(path: string): void {
  if (!existsSync(path) || (statSync(path).mode & 0o200) !== 0) return;
  chmodSync(path, 0o600);
}

function passes(error: unknown): boolean {
  const cause = fetchErrorCause(error);
  return cause instanceof Database.SqliteError && PASSES.some((code) => cause.code.startsWith(code));
}

function inMemory(path: string, reason: string, log: Logger): OpenedSite {
  const { db, rescued } = rescueToMemory(path);
  log.error({ event: LOG_EVENTS.databaseInMemory, path, reason, ...rescued });
  return { db, unwritable: reason, lasts: false };
}
