import Database from 'libsql';
import { z } from 'zod';

/** A row as SQLite has it, with bytes in hexadecimal digits. */
export type Row = Readonly<Record<string, string | number | null>>;

export interface RowChange {
  table: string;
  /** Null: it is new. */
  before: Row | null;
  after: Row;
}

const RowsSchema = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));
const NamesSchema = z.array(z.looseObject({ name: z.string() }));
const ChangedSchema = z.array(z.object({ name: z.string(), id: z.number() }));

interface Table {
  /** Reads one row by its row id. */
  one: Database.Statement;
  /** The rows by their row ids, as they were at the last read. */
  rows: Map<number, Row>;
}

/** Watches what becomes of the rows of a database, by whatever way. No table is left out. */
export class WatchedTables {
  readonly #database: Database.Database;
  /** The tables by name; null: their rows are not read. */
  readonly #tables = new Map<string, Table | null>();

  /** @param isRead whether a table's rows are read */
  constructor(path: string, isRead: (table: string) => boolean) {
    this.#database = new Database(path);
    this.#database.pragma('busy_timeout = 5000');
    const named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL";
    const names = NamesSchema.parse(this.#database.prepare(named).all()).map(({ name }) => name);
    this.#database.exec('CREATE TABLE watched_change (name text NOT NULL, id integer NOT NULL)');
    for (const name of names.filter((one) => !/^(sqlite_|__drizzle)/.test(one))) {
      this.#tables.set(name, isRead(name) ? this.#watch(name) : null);
    }
  }

  get names(): string[] {
    return [...this.#tables.keys()];
  }

  #watch(name: string): Table {
    for (const [what, row] of [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ]) {
      this.#database.exec(
        `CREATE TRIGGER watch_${name}_${what} AFTER ${what} ON \`${name}\`
         BEGIN INSERT INTO watched_change VALUES ('${name}', ${row}.rowid); END`,
      );
    }
    const columns = NamesSchema.parse(this.#database.pragma(`table_info(\`${name}\`)`));
    const texts = columns.map(
      ({ name: one }) => `iif(typeof(\`${one}\`) = 'blob', hex(\`${one}\`), \`${one}\`) AS \`${one}\``,
    );
    const select = `SELECT rowid AS "(row)", ${texts.join()} FROM \`${name}\``;
    const found = RowsSchema.parse(this.#database.prepare(select).all());
    const one = this.#database.prepare(`${select} WHERE rowid = ?`);
    return { one, rows: new Map(found.map((row) => [Number(row['(row)']), row])) };
  }

  /** The rows that are new or different since the last look, in the tables that are read. */
  look(): RowChange[] {
    const changed = ChangedSchema.parse(
      this.#database.prepare('SELECT DISTINCT name, id FROM watched_change ORDER BY name, id').all(),
    );
    this.#database.exec('DELETE FROM watched_change');
    return changed.flatMap(({ name, id }) => this.#look(name, id));
  }

  #look(name: string, id: number): RowChange[] {
    const table = this.#tables.get(name);
    if (table == null) return [];
    const before = table.rows.get(id) ?? null;
    const [after] = RowsSchema.parse(table.one.all(id));
    if (after === undefined) {
      table.rows.delete(id);
      return [];
    }
    table.rows.set(id, after);
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ table: name, before, after }];
  }

  /** The rows of a table that is read, as they were at the last look. */
  rows(name: string): Row[] {
    return [...(this.#tables.get(name)?.rows?.values() ?? [])];
  }

  find(name: string, column: string, value: string | number | null | undefined): Row | undefined {
    return this.rows(name).find((row) => row[column] === value);
  }

  close(): void {
    this.#database.close();
  }
}
