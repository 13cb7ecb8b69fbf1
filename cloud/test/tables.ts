import Database from 'better-sqlite3';

/** For tests: tables in whose rows a text stands somewhere. */
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
