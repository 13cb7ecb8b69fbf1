import {
  CREATE_SCHEMA_NOTE,
  FIND_SCHEMA_NOTE,
  INSERT_SCHEMA_NOTE,
  refuseTooNew,
  schemaNoteOf,
} from '@hlid/node/migration/schema-note';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import type { Client, Transaction } from '@libsql/client';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { beginWriting } from './begin-writing.ts';
import { APPLIED, CREATE_APPLIED, cloudPlan, INSERT_APPLIED } from './migrate.ts';

const GO_BACK = 'Install the newer version again, or restore a backup of the server.';

/**
 * Brings a remote database up to date: forward only, in one transaction, by one process at a time. There is no copy to try
 * it on: its server makes the backups. Throws Fault `schema-refused` where a newer version made the database in a way that
 * this one cannot use, else `database-unusable`.
 */
export async function migrateRemote(client: Client, log: Logger, plan = cloudPlan()): Promise<void> {
  const { migrations, oldest, software } = plan;
  const newest = migrations.at(-1)?.schema ?? 0;
  try {
    const transaction = await beginWriting(client);
    try {
      const { at, note } = await readState(transaction);
      refuseTooNew({ path: 'the remote database', schema: at, note }, { newest, goBack: GO_BACK });
      const due = migrations.filter(({ schema }) => schema > at);
      for (const { statements, hash, schema } of due) {
        for (const statement of statements) await transaction.execute(statement);
        await transaction.execute({ sql: INSERT_APPLIED, args: [hash, schema] });
      }
      if (due.length > 0) {
        const args = [newest, oldest, software, new Date().toISOString()];
        await transaction.execute({ sql: INSERT_SCHEMA_NOTE, args });
      }
      await transaction.commit();
      if (due.length > 0) {
        log.info({ event: EVENTS.databaseMigrated, step: 'applied', migrations: due.length });
      }
    } finally {
      transaction.close();
    }
  } catch (error) {
    if (isFault(error)) throw error;
    const message = `the remote database cannot be used: ${messageOf(error)}`;
    throw new Fault('database-unusable', message, { cause: error });
  }
}

async function readState(transaction: Transaction) {
  for (const table of [CREATE_APPLIED, CREATE_SCHEMA_NOTE]) await transaction.execute(table);
  const { rows } = await transaction.execute(`SELECT coalesce(max(created_at), 0) AS at FROM ${APPLIED}`);
  const [note] = (await transaction.execute(FIND_SCHEMA_NOTE)).rows;
  return {
    at: Number(rows[0]?.['at'] ?? 0),
    note: schemaNoteOf(note && [note['schema'], note['oldest'], note['software']]),
  };
}
