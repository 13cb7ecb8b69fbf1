import Database from 'better-sqlite3';

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
