import { constants, copyFileSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import {
  type DatabaseKind,
  findDamage,
  type Migration,
  removeDatabase,
  rowsOf,
  type SchemaPlan,
  type SqliteFile,
} from '../backup/sqlite-file.ts';
import { syncNow } from '../durable-files.ts';
import { beforePath, describeGoBack } from './copy-before.ts';
import {
  CREATE_SCHEMA_NOTE,
  FIND_SCHEMA_NOTE,
  INSERT_SCHEMA_NOTE,
  refuseTooNew,
  SCHEMA_NOTE,
  type SchemaNote,
  schemaNoteOf,
} from './schema-note.ts';

/** The progress of a run of migrations, for the log. */
export type MigrationStep =
  | { step: 'copying' | 'trying' | 'checking'; megabytes: number; migrations: number }
  | { step: 'applying' | 'applied'; migrations: number };
type Report = (step: MigrationStep) => void;

/** Copies at once: the one that is kept, and the one on which the migrations are tried. */
const COPIES = 2;

/**
 * Brings an open database up to date, in one transaction. Where it has data, the migrations first run on a copy, which is
 * then checked; the copy from before is kept, so that a person can go back. Whatever fails, the database is as it was.
 *
 * Throws Fault 'schema-refused' where this program cannot use a database that is whole, and 'no-room' where a copy does
 * not fit on the disk.
 */
export function migrateDatabase<M extends Migration>(
  file: SqliteFile,
  given: { path: string; plan: SchemaPlan<M>; open: DatabaseKind['open']; report: Report },
): void {
  const { path, plan, report } = given;
  const at = plan.schemaOf(file);
  refuseUnknownSchema(file, plan, { path, goBack: describeGoBack(path, plan.revertCommand) });
  const due = plan.migrations.filter(({ schema }) => schema > at);
  if (due.length === 0) return;
  // Migrations that rebuild a table cannot do so under its references; those are checked at the end instead.
  file.exec('PRAGMA foreign_keys = OFF');
  if (at === 0) return void applyInOneTransaction(file, plan, { at, due, brokenBefore: 0 });
  const trial = tryOnCopy(file, { ...given, at, due, isKept: true });
  // Another process that started at the same time has applied them meanwhile.
  if (trial === null) return;
  report({ step: 'applying', migrations: due.length });
  try {
    applyInOneTransaction(file, plan, { at, due, ...trial });
  } catch (error) {
    rmSync(beforePath(path), { force: true });
    throw refused(path, plan, error);
  }
  report({ step: 'applied', migrations: due.length });
}

/** Tries the migrations that a database lacks on a copy of it, and keeps none. @returns how many there are */
export function tryMigrations(path: string, { open, plan: planOf }: DatabaseKind): number {
  const plan = planOf();
  const file = open(path, 'read');
  try {
    const at = plan.schemaOf(file);
    refuseUnknownSchema(file, plan, { path, goBack: describeGoBack(path, plan.revertCommand) });
    const due = plan.migrations.filter(({ schema }) => schema > at);
    if (at > 0 && due.length > 0) {
      tryOnCopy(file, { path, plan, open, report: () => undefined, at, due, isKept: false });
    }
    return due.length;
  } finally {
    file.close();
  }
}

/** Throws Fault 'schema-refused' where a newer program made the database in a way that this one cannot use. */
export function refuseUnknownSchema(
  file: SqliteFile,
  plan: Pick<SchemaPlan, 'migrations' | 'schemaOf'>,
  { path, goBack }: { path: string; goBack: string },
): void {
  const newest = plan.migrations.at(-1)?.schema ?? 0;
  refuseTooNew({ path, schema: plan.schemaOf(file), note: readSchemaNote(file) }, { newest, goBack });
}

function readSchemaNote(file: SqliteFile): SchemaNote | null {
  const table = file.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", SCHEMA_NOTE);
  return table.length === 0 ? null : schemaNoteOf(file.all(FIND_SCHEMA_NOTE)[0]);
}

interface Trial<M extends Migration> {
  path: string;
  plan: SchemaPlan<M>;
  open: DatabaseKind['open'];
  report: Report;
  at: number;
  due: readonly M[];
  /** The copy is kept for going back; else it was only tried. */
  isKept: boolean;
}

/** @returns what the database has that is wrong already; null where another process has migrated it meanwhile */
function tryOnCopy<M extends Migration>(file: SqliteFile, given: Trial<M>): { brokenBefore: number } | null {
  const { path, due, report, isKept } = given;
  const megabytes = checkRoom(file, path);
  const copy = `${path}.copy-${process.pid}`;
  const trial = `${path}.trial-${process.pid}`;
  const migrations = due.length;
  try {
    for (const old of [copy, trial]) removeDatabase(old);
    report({ step: 'copying', megabytes, migrations });
    file.run('VACUUM INTO ?', copy);
    copyFileSync(copy, trial, constants.COPYFILE_FICLONE);
    const found = applyToTrial(trial, given, (step) => report({ step, megabytes, migrations }));
    if (found !== null && isKept) keepCopy(copy, path);
    return found;
  } finally {
    for (const old of [copy, trial]) removeDatabase(old);
  }
}

function applyToTrial<M extends Migration>(
  trial: string,
  { path, plan, open, at, due }: Trial<M>,
  report: (step: 'trying' | 'checking') => void,
): { brokenBefore: number } | null {
  const file = open(trial, 'write');
  try {
    // It is thrown away whatever happens.
    file.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF');
    if (plan.schemaOf(file) !== at) return null;
    const brokenBefore = brokenReferences(file);
    const before = rowsOf(file);
    report('trying');
    applyInOneTransaction(file, plan, { at, due, brokenBefore });
    report('checking');
    const damage = findDamage(file);
    if (damage.length > 0) throw new Error(`it would damage the database: ${damage.join('; ')}`);
    const lost = rowsLost(before, rowsOf(file), due);
    if (lost.length > 0) throw new Error(`it would change rows of ${lost.join(', ')}`);
    return { brokenBefore };
  } catch (error) {
    throw refused(path, plan, error);
  } finally {
    file.close();
  }
}

/** Tables that no migration names, with fewer or more rows than before. */
function rowsLost(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  due: readonly Migration[],
): string[] {
  const text = due.flatMap(({ statements }) => statements).join('\n');
  return Object.keys(before).filter(
    (table) =>
      !new RegExp(`\\b${table}\\b`, 'i').test(text) && !isOurs(table) && before[table] !== after[table],
  );
}

/** Rows in these are added by every run of migrations. */
function isOurs(table: string): boolean {
  return table === SCHEMA_NOTE || table.startsWith('__');
}

function applyInOneTransaction<M extends Migration>(
  file: SqliteFile,
  plan: SchemaPlan<M>,
  { at, due, brokenBefore }: { at: number; due: readonly M[]; brokenBefore: number },
): void {
  file.exec('BEGIN IMMEDIATE');
  try {
    // Another process that started at the same time may have applied them meanwhile.
    if (plan.schemaOf(file) === at) {
      for (const migration of due) {
        for (const statement of migration.statements) file.exec(statement);
        plan.record(file, migration);
      }
      noteSchema(file, plan);
    }
    if (brokenReferences(file) > brokenBefore) {
      throw new Error('after the migration, rows refer to rows that do not exist');
    }
    file.exec('COMMIT');
  } catch (error) {
    try {
      file.exec('ROLLBACK');
    } catch {
      // Some errors, such as a full disk, have ended the transaction already.
    }
    throw error;
  }
}

function noteSchema(file: SqliteFile, { migrations, oldest, software }: SchemaPlan): void {
  file.exec(CREATE_SCHEMA_NOTE);
  file.run(INSERT_SCHEMA_NOTE, migrations.at(-1)?.schema ?? 0, oldest, software, new Date().toISOString());
}

function brokenReferences(file: SqliteFile): number {
  return file.all('PRAGMA foreign_key_check').length;
}

/** @returns the size of the database in megabytes */
function checkRoom(file: SqliteFile, path: string): number {
  const [pages = 0, pageBytes = 0] = ['page_count', 'page_size'].map((name) =>
    Number(file.all(`PRAGMA ${name}`)[0]?.[0]),
  );
  const bytes = pages * pageBytes;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < COPIES * bytes) {
    const needed = Math.ceil((COPIES * bytes) / 1e6);
    throw new Fault(
      'no-room',
      `${path} has to be changed for this version, which needs ${needed} MB of free disk for copies. Nothing was changed: free the space, or install the former version again.`,
    );
  }
  return Math.ceil(bytes / 1e6);
}

/** Moves the copy to the disk for good before the database changes. */
function keepCopy(copy: string, path: string): void {
  syncNow(copy);
  renameSync(copy, beforePath(path));
  syncNow(dirname(path));
}

function refused(path: string, { software }: Pick<SchemaPlan, 'software'>, error: unknown): Fault {
  if (isFault(error)) return error;
  return new Fault(
    'schema-refused',
    `${software} cannot bring ${path} up to date: ${messageOf(error)}. The database is as it was: install the former version again, it goes on with it.`,
    { cause: error },
  );
}
