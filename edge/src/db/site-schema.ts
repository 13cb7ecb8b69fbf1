import { type DatabaseKind, type SchemaPlan, sqliteFile } from '@hlid/node/backup/sqlite-file';
import Database from 'better-sqlite3';
import { SOFTWARE } from '../base/software.ts';
import { MIGRATIONS, OLDEST_MIGRATION } from './migrations.ts';
import { unpackJson } from './packed-json.ts';

export const SITE_DATABASE: DatabaseKind = {
  fileName: 'site.sqlite',
  open(path, mode) {
    const db = new Database(path, { readonly: mode === 'read' });
    addFunctions(db);
    return sqliteFile(db);
  },
  plan: () => sitePlan(),
};

/** The schema is the number of migrations, which SQLite keeps as `user_version`. */
export function sitePlan(migrations: readonly string[] = MIGRATIONS): SchemaPlan {
  return {
    migrations: migrations.map((sql, index) => ({ schema: index + 1, statements: [sql] })),
    oldest: OLDEST_MIGRATION,
    software: SOFTWARE,
    revertCommand: 'hlid database revert',
    schemaOf: (file) => Number(file.all('PRAGMA user_version')[0]?.[0]),
    record: (file, { schema }) => file.exec(`PRAGMA user_version = ${schema}`),
  };
}

/** Adds the functions for SQL, migrations too, that read columns which may be packed. */
export function addFunctions(db: Database.Database): void {
  db.function('unpacked', { deterministic: true }, (stored) =>
    stored === null ? null : unpackJson(stored as string | Buffer),
  );
}
