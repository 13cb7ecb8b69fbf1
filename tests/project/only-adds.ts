import Database from 'better-sqlite3';

type Schema = Readonly<Record<string, string>>;

/**
 * Why programs that have only the first migrations could not use a database with all of them; empty: they
 * can. The schemas that both make are compared, so that it does not matter how a migration is written.
 * @param migrations the statements of each
 * @param known the number of migrations that the older program has
 */
export function whatOlderProgramsMiss(migrations: readonly (readonly string[])[], known: number): string[] {
  const before = schemaAfter(migrations.slice(0, known));
  const after = schemaAfter(migrations);
  const missing = Object.keys(before).filter((name) => before[name] !== after[name]);
  const tables = new Set(Object.keys(before).map(tableOf));
  const demands = Object.keys(after).filter(
    (name) => !(name in before) && tables.has(tableOf(name)) && isDemanding(after[name] ?? ''),
  );
  return [
    ...missing.map((name) => `${name} is ${after[name] ?? 'gone'}; it was ${before[name]}`),
    ...demands.map((name) => `${name} is new, and rows of an older program need not fit: ${after[name]}`),
    ...migrations.slice(known).flatMap((statements) => statements.flatMap(deletions)),
  ];
}

/** Tables, columns, indexes and references by name, each as a text. */
function schemaAfter(migrations: readonly (readonly string[])[]): Schema {
  const db = new Database(':memory:');
  try {
    for (const statement of migrations.flat()) db.exec(statement);
    const rows = (sql: string) => db.prepare<[], Record<string, unknown>>(sql).all();
    const schema: Record<string, string> = {};
    for (const table of rows("SELECT name, wr, strict FROM pragma_table_list WHERE type = 'table'")) {
      const { name } = table;
      schema[`${name}`] = JSON.stringify(table);
      for (const { cid: _, name: column, ...shape } of rows(`SELECT * FROM pragma_table_xinfo('${name}')`)) {
        schema[`${name}.${column}`] = JSON.stringify({ ...shape, column: true });
      }
      for (const { seq: _, name: index, ...shape } of rows(`SELECT * FROM pragma_index_list('${name}')`)) {
        const columns = rows(`SELECT name, "desc", coll FROM pragma_index_xinfo('${index}')`);
        const where = rows(`SELECT sql FROM sqlite_master WHERE name = '${index}'`)[0]?.['sql'] ?? null;
        schema[`${name}.index ${index}`] = JSON.stringify({ ...shape, columns, where });
      }
      for (const { id: _, ...shape } of rows(`SELECT * FROM pragma_foreign_key_list('${name}')`)) {
        schema[`${name}.reference ${JSON.stringify(shape)}`] = 'a reference';
      }
    }
    return schema;
  } finally {
    db.close();
  }
}

function tableOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/** A unique index, a reference, or a column that must be given. */
function isDemanding(text: string): boolean {
  if (text === 'a reference') return true;
  const shape = JSON.parse(text);
  return 'column' in shape ? shape.notnull === 1 && shape.dflt_value === null : shape.unique === 1;
}

function deletions(statement: string): string[] {
  return [...statement.matchAll(/\b(?:DELETE\s+FROM|REPLACE\s+INTO)\s+\S+/gi)].map(
    ([part]) => `it has ${part}`,
  );
}
