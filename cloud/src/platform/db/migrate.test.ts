import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import Database from 'libsql';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloudPlan, migrate } from './migrate.ts';
import { is } from './sql.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const log = pino({ level: 'silent' });

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-migrate-'));
  path = join(folder, 'cloud.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Rows of one column. */
function ask(file: string, query: string): unknown[] {
  const database = new Database(file);
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
}

const copies = () => readdirSync(folder).filter((file) => file === 'cloud.db.before-upgrade');

/** The project's migrations and these after them. */
function withMigrations(...statements: string[]): string {
  const copy = join(folder, `migrations-${statements.length}`);
  cpSync(MIGRATIONS, copy, { recursive: true });
  const journalPath = join(copy, 'meta/_journal.json');
  const journal: { entries: { when: number; tag: string }[] } = JSON.parse(readFileSync(journalPath, 'utf8'));
  statements.forEach((statement, at) => {
    const tag = `9${at}_more`;
    writeFileSync(join(copy, `${tag}.sql`), statement);
    journal.entries.push({ ...journal.entries[0], when: Date.UTC(2100, 0, 1) + at, tag });
  });
  writeFileSync(journalPath, JSON.stringify(journal));
  return copy;
}

async function definedTables(): Promise<SQLiteTable[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    files.filter((file) => file.endsWith('-table.ts')).map((file) => import(join(SOURCE, file))),
  );
  return modules.flatMap((module: object) => Object.values(module)).filter((value) => is(value, SQLiteTable));
}

describe('the migrations', () => {
  it('make the tables as the code defines them', async () => {
    migrate(path, log);
    const tables = await definedTables();
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) {
      const { name, columns, indexes } = getTableConfig(table);
      expect([name, ask(path, `SELECT name FROM pragma_table_info('${name}')`).sort()]).toEqual([
        name,
        columns.map((column) => column.name).sort(),
      ]);
      const made = ask(
        path,
        `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${name}' AND sql IS NOT NULL`,
      );
      const defined = [
        ...indexes.map((index) => index.config.name),
        ...columns.flatMap((column) => (column.isUnique && column.uniqueName ? [column.uniqueName] : [])),
      ];
      expect([name, made.sort()]).toEqual([name, defined.sort()]);
    }
  });

  it('run once, and leave no copy of a file that they made themselves', () => {
    migrate(path, log);
    migrate(path, log);
    expect(copies()).toEqual([]);
  });

  it('copy the file as it was before they change it', () => {
    migrate(path, log);
    const more = withMigrations('CREATE TABLE more (id text)');
    migrate(path, log, cloudPlan(more));
    expect(copies()).toHaveLength(1);
    const query = "SELECT name FROM sqlite_master WHERE name IN ('more', 'visit')";
    expect(ask(path, query).sort()).toEqual(['more', 'visit']);
    expect(ask(join(folder, copies()[0] ?? ''), query)).toEqual(['visit']);
  });

  it('change nothing where one of them fails', () => {
    migrate(path, log);
    const more = withMigrations('CREATE TABLE more (id text)', 'CREATE TABLE more (id text)');
    expect(() => migrate(path, log, cloudPlan(more))).toThrow(
      expect.objectContaining({ code: 'schema-refused' }),
    );
    expect(ask(path, "SELECT name FROM sqlite_master WHERE name = 'more'")).toEqual([]);
    migrate(path, log);
  });

  it('leave a database that older versions can use, unless the newer one says otherwise', () => {
    const newer = cloudPlan(withMigrations('CREATE TABLE more (id text)'));
    migrate(path, log, newer);
    migrate(path, log);
    rmSync(path);
    migrate(path, log, { ...newer, oldest: newer.migrations.at(-1)?.schema ?? 0 });
    expect(() => migrate(path, log)).toThrow(
      expect.objectContaining({ code: 'schema-refused', message: expect.stringContaining('cannot use it') }),
    );
  });

  it('say which file cannot be used', () => {
    mkdirSync(path);
    expect(() => migrate(path, log)).toThrow(expect.objectContaining({ code: 'database-unusable' }));
  });
});
