import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseKind, lockFolder, type SchemaPlan, sqliteFile } from '../backup/sqlite-file.ts';
import { beforePath, deleteOldCopy } from './copy-before.ts';
import { type MigrationStep, migrateDatabase, tryMigrations } from './migrate-database.ts';
import { canUse, revertDatabase } from './revert-database.ts';

const FIRST = `CREATE TABLE car (plate TEXT PRIMARY KEY);
  CREATE TABLE visit (id INTEGER PRIMARY KEY, plate TEXT NOT NULL REFERENCES car (plate));
  CREATE TABLE price (amount INTEGER);
  CREATE TABLE tally (n INTEGER);
  CREATE TRIGGER price_gone AFTER DELETE ON price BEGIN DELETE FROM tally; END`;
const ADDS = 'ALTER TABLE visit ADD COLUMN note TEXT';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-migrate-'));
  path = join(folder, 'own.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function planOf(...migrations: string[]): SchemaPlan {
  return {
    migrations: migrations.map((sql, at) => ({ schema: at + 1, statements: [sql] })),
    oldest: 1,
    software: `own/${migrations.length}`,
    revertCommand: 'own database revert',
    schemaOf: (file) => Number(file.all('PRAGMA user_version')[0]?.[0]),
    record: (file, { schema }) => file.exec(`PRAGMA user_version = ${schema}`),
  };
}

function kindOf(plan: SchemaPlan): DatabaseKind {
  return {
    fileName: 'own.db',
    open: (file, mode) => sqliteFile(new Database(file, { readonly: mode === 'read' })),
    plan: () => plan,
  };
}

function start(plan: SchemaPlan): MigrationStep[] {
  const steps: MigrationStep[] = [];
  const { open } = kindOf(plan);
  const file = open(path, 'write');
  try {
    file.exec('PRAGMA journal_mode = WAL');
    migrateDatabase(file, { path, plan, open, report: (step) => steps.push(step) });
  } finally {
    file.close();
  }
  return steps;
}

function query(sql: string, of = path): unknown[] {
  const db = new Database(of);
  try {
    return db.prepare(sql).raw().all().flat();
  } finally {
    db.close();
  }
}

function fill(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

const ROWS =
  "INSERT INTO car VALUES ('ABC12'); INSERT INTO visit (plate) VALUES ('ABC12'); INSERT INTO price VALUES (1); INSERT INTO tally VALUES (1)";

describe('migrations of a database with data', () => {
  beforeEach(() => {
    expect(start(planOf(FIRST))).toEqual([]);
    fill(ROWS);
  });

  it('are tried on a copy first, and keep one from before', () => {
    const steps = start(planOf(FIRST, ADDS));
    expect(steps.map(({ step }) => step)).toEqual(['copying', 'trying', 'checking', 'applying', 'applied']);
    expect(query('SELECT note FROM visit')).toEqual([null]);
    expect(query("SELECT name FROM pragma_table_info('visit')", beforePath(path))).toEqual(['id', 'plate']);
    expect(readdirSync(folder).sort()).toEqual(['own.db', 'own.db.before-upgrade']);
    expect(start(planOf(FIRST, ADDS))).toEqual([]);
  });

  it.each([
    ['does not work', 'CREATE TABLE car (id)', 'already exists'],
    ['loses what rows refer to', 'DELETE FROM car', 'rows refer to rows that do not exist'],
    ['changes a table that it does not name', 'DELETE FROM price', 'change rows of tally'],
  ])('leave it as it was where one of them %s', (_, sql, reason) => {
    expect(() => start(planOf(FIRST, ADDS, sql))).toThrow(
      expect.objectContaining({ code: 'schema-refused', message: expect.stringContaining(reason) }),
    );
    expect(query('PRAGMA user_version')).toEqual([1]);
    expect(query('SELECT count(*) FROM car')).toEqual([1]);
    expect(readdirSync(folder)).toEqual(['own.db']);
    expect(start(planOf(FIRST))).toEqual([]);
  });

  it('are refused where the disk has no room for the copies', () => {
    const plan = planOf(FIRST, ADDS);
    const { open } = kindOf(plan);
    const file = open(path, 'write');
    // A database that claims to be larger than any disk.
    const huge = {
      ...file,
      all: (sql: string, ...values: string[]) =>
        sql === 'PRAGMA page_count' ? [[2 ** 40]] : file.all(sql, ...values),
    };
    expect(() => migrateDatabase(huge, { path, plan, open, report: () => undefined })).toThrow(
      expect.objectContaining({ code: 'no-room', message: expect.stringContaining('MB of free disk') }),
    );
    file.close();
    expect(query('PRAGMA user_version')).toEqual([1]);
    expect(readdirSync(folder)).toEqual(['own.db']);
  });

  it('can be tried by a version that is not installed, while the former one writes', () => {
    const running = new Database(path);
    running.exec("BEGIN IMMEDIATE; INSERT INTO car VALUES ('DEF34')");
    expect(tryMigrations(path, kindOf(planOf(FIRST, ADDS)))).toBe(1);
    expect(() => tryMigrations(path, kindOf(planOf(FIRST, 'nonsense')))).toThrow('syntax error');
    running.exec('COMMIT');
    running.close();
    expect(query('SELECT count(*) FROM car')).toEqual([2]);
    expect(query('PRAGMA user_version')).toEqual([1]);
    expect(readdirSync(folder)).toEqual(['own.db']);
  });
});

describe('going back', () => {
  const newer = planOf(FIRST, ADDS);
  /** It cannot be used by programs that do not know it. */
  const contracted = { ...planOf(FIRST, ADDS, 'ALTER TABLE car DROP COLUMN note'), oldest: 3 };

  beforeEach(() => {
    start(planOf(FIRST.replace('plate TEXT PRIMARY KEY', 'plate TEXT PRIMARY KEY, note TEXT')));
    fill("INSERT INTO car VALUES ('ABC12', 'x')");
  });

  it('is possible on the newer database where it only has more', () => {
    start(newer);
    expect(start(planOf(FIRST))).toEqual([]);
    fill("INSERT INTO car VALUES ('DEF34', 'y')");
    expect(start(newer)).toEqual([]);
    expect(query('SELECT count(*) FROM car')).toEqual([2]);
  });

  it('needs the copy from before where it lacks something, and the refusal says how', () => {
    start(contracted);
    fill("INSERT INTO car VALUES ('DEF34')");
    const older = kindOf(planOf(FIRST));
    expect(canUse(folder, older)).toBe(false);
    expect(() => start(older.plan())).toThrow(
      expect.objectContaining({
        code: 'schema-refused',
        message: expect.stringMatching(/made by own\/3.* go back to the copy of 20.*: own database revert$/),
      }),
    );
    expect(query('SELECT count(*) FROM car')).toEqual([2]);
    const release = lockFolder(folder, 'shared', older);
    expect(() => revertDatabase(folder, older, new Date())).toThrow('another program is at work');
    release();
    const replaced = revertDatabase(folder, older, new Date());
    expect(start(older.plan())).toEqual([]);
    expect(query('SELECT plate FROM car')).toEqual(['ABC12']);
    expect(query('SELECT count(*) FROM car', replaced ?? '')).toEqual([2]);
    expect(() => revertDatabase(folder, older, new Date())).toThrow('no copy from before');
  });

  it('ends when the newer version has worked for a week', () => {
    start(newer);
    const [upMs, week] = [3_600_000, 7 * 86_400_000];
    const made = new Date('2026-11-01T00:00:00Z');
    utimesSync(beforePath(path), made, made);
    const deleteAt = (after: number, up = upMs) =>
      deleteOldCopy(path, { now: new Date(made.getTime() + after), upMs: up });
    expect(deleteAt(week - 1)).toBe(false);
    expect(deleteAt(week, upMs - 1)).toBe(false);
    expect(deleteAt(week)).toBe(true);
    expect(existsSync(beforePath(path))).toBe(false);
  });
});
