import { join } from 'node:path';
import { protectFolder } from '@hlid/node/private-files';
import type { Logger } from 'pino';
import type { Db } from './db.ts';
import { openDb } from './libsql-db.ts';
import { openRemoteDb } from './remote-db.ts';

/** The file of the embedded database. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'cloud.db');
}

/** The remote database, or the one in the data folder. Migrates first. */
export async function openDatabase(
  { dataDir, database }: { dataDir: string; database: { url: string; token: string | null } | null },
  log: Logger,
): Promise<Db> {
  protectFolder(dataDir);
  return database === null
    ? await openDb(databasePath(dataDir), { log })
    : await openRemoteDb(database, { log });
}
