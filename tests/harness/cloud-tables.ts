import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PROJECT_ROOT } from './programs.ts';

const SOURCE = join(PROJECT_ROOT, 'cloud/src');

/** All tables of the cloud, by their names in code. */
export async function cloudTables(): Promise<Map<string, SQLiteTable>> {
  const tables = new Map<string, SQLiteTable>();
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('-table.ts'))) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(SOURCE, file)).href);
    for (const [name, table] of Object.entries(module)) if (is(table, SQLiteTable)) tables.set(name, table);
  }
  return tables;
}
