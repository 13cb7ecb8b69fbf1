import { Fault } from '@hlid/protocol/base/fault';

/**
 * The table beside those of each database, with a row for each run of migrations. An older program reads in
 * the newest row whether it can still use the database.
 */
export const SCHEMA_NOTE = 'schema_note';

export const CREATE_SCHEMA_NOTE = `CREATE TABLE IF NOT EXISTS ${SCHEMA_NOTE} (
  schema INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, software TEXT NOT NULL, at TEXT NOT NULL)`;
/** Values: schema, oldest, software, at. */
export const INSERT_SCHEMA_NOTE = `INSERT OR REPLACE INTO ${SCHEMA_NOTE} (schema, oldest, software, at) VALUES (?, ?, ?, ?)`;
export const FIND_SCHEMA_NOTE = `SELECT schema, oldest, software FROM ${SCHEMA_NOTE} ORDER BY schema DESC LIMIT 1`;

/** The note of the program that made the newest schema of a database. */
export interface SchemaNote {
  schema: number;
  /** A program can use the database if its newest schema is this or a later one. */
  oldest: number;
  software: string;
}

/** @param row of FIND_SCHEMA_NOTE */
export function schemaNoteOf(row: readonly unknown[] | undefined): SchemaNote | null {
  if (row === undefined) return null;
  const [schema, oldest, software] = row;
  return { schema: Number(schema), oldest: Number(oldest), software: String(software) };
}

/**
 * Throws Fault 'schema-refused' for a database with a schema that the program does not know and cannot use.
 *
 * @param newest the newest schema that the program knows
 * @param goBack the advice for a person
 */
export function refuseTooNew(
  found: { path: string; schema: number; note: SchemaNote | null },
  { newest, goBack }: { newest: number; goBack: string },
): void {
  const { path, schema, note } = found;
  if (schema <= newest || (note?.schema === schema && note.oldest <= newest)) return;
  const maker = note === null ? 'a newer version of this program' : note.software;
  throw new Fault(
    'schema-refused',
    `${path} was made by ${maker}, and this version cannot use it. ${goBack}`,
  );
}
