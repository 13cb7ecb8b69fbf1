import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, isFault } from '@hlid/protocol/base/fault';
import { replaceDatabase } from '../backup/restore-backup.ts';
import { type DatabaseKind, findDamage, lockFolder } from '../backup/sqlite-file.ts';
import { beforePath } from './copy-before.ts';
import { refuseUnknownSchema } from './migrate-database.ts';

/** Whether this program can use the database as it is; true where there is none. */
export function canUse(dataDir: string, database: DatabaseKind): boolean {
  const path = join(dataDir, database.fileName);
  if (!existsSync(path)) return true;
  const file = database.open(path, 'read');
  try {
    refuseUnknownSchema(file, database.plan(), { path, goBack: '' });
    return true;
  } catch (error) {
    if (isFault(error, 'schema-refused')) return false;
    throw error;
  } finally {
    file.close();
  }
}

/**
 * Puts the copy from before the last migrations in the place of the database, which is kept under another name. Throws
 * Fault where a program runs on the folder, where there is no copy, or where this program cannot use it.
 *
 * @returns the path of the database that was there
 */
export function revertDatabase(dataDir: string, database: DatabaseKind, at: Date): string | null {
  const copy = beforePath(join(dataDir, database.fileName));
  if (!existsSync(copy)) {
    throw new Fault('config-invalid', `there is no copy from before: ${copy} does not exist`);
  }
  const release = lockFolder(dataDir, 'alone', database);
  try {
    const file = database.open(copy, 'read');
    try {
      refuseUnknownSchema(file, database.plan(), { path: copy, goBack: 'Install that version.' });
      const damage = findDamage(file);
      if (damage.length > 0) throw new Fault('database-unusable', `${copy} is damaged: ${damage.join('; ')}`);
    } finally {
      file.close();
    }
    return replaceDatabase({ dataDir, database }, copy, at);
  } finally {
    release();
  }
}
