import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Db } from '../src/platform/db/db.ts';
import { sql } from '../src/platform/db/sql.ts';

/** The tables with a row that contains a text, for tests. */
export function tablesWith(file: string, text: string): string[] {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    return tables.filter((table) =>
      (database.prepare(`SELECT * FROM "${table}"`).all() as object[]).some((row) =>
        JSON.stringify(row).includes(text),
      ),
    );
  } finally {
    database.close();
  }
}

/** How many rows each table has. */
export async function rowCounts(db: Db): Promise<Record<string, number>> {
  return await db.read(async (q) => {
    const tables = z
      .array(z.object({ name: z.string() }))
      .parse(await q.all(sql`SELECT name FROM sqlite_master WHERE type = 'table'`));
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const rows = await q.all(sql.raw(`SELECT count(*) AS n FROM "${name}"`));
      counts[name] = z.tuple([z.object({ n: z.number() })]).parse(rows)[0].n;
    }
    return counts;
  });
}
