import { Fault, isFault, messageOf } from '@hlid/protocol/fault';
import type { Client, Transaction } from '@libsql/client/web';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { beginWriting } from './begin-writing.ts';
import { APPLIED, MIGRATIONS, newerThanProgram } from './migrate.ts';

/**
 * Brings a remote database up to date: forward only, in one transaction, by one process at a time. Its server keeps
 * the backups. Throws Fault `database-unusable`.
 */
export async function migrateRemote(client: Client, log: Logger, folder = MIGRATIONS): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  try {
    const transaction = await beginWriting(client);
    try {
      const at = await appliedUpTo(transaction);
      if (at > (migrations.at(-1)?.folderMillis ?? 0)) throw newerThanProgram('the remote database');
      const due = migrations.filter((migration) => migration.folderMillis > at);
      for (const { sql, hash, folderMillis } of due) {
        for (const statement of sql) await transaction.execute(statement);
        await transaction.execute({
          sql: `INSERT INTO ${APPLIED} (hash, created_at) VALUES (?, ?)`,
          args: [hash, folderMillis],
        });
      }
      await transaction.commit();
      if (due.length > 0) log.info({ event: EVENTS.databaseMigrated, applied: due.length });
    } finally {
      transaction.close();
    }
  } catch (error) {
    if (isFault(error)) throw error;
    const message = `the remote database cannot be used: ${messageOf(error)}`;
    throw new Fault('database-unusable', message, { cause: error });
  }
}

async function appliedUpTo(transaction: Transaction): Promise<number> {
  await transaction.execute(
    `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)`,
  );
  const { rows } = await transaction.execute(`SELECT coalesce(max(created_at), 0) AS at FROM ${APPLIED}`);
  return Number(rows[0]?.['at'] ?? 0);
}
