import Database from 'better-sqlite3';

/** The size of a table or an index: whole pages, also where they are partly empty. */
export interface StoredBytes {
  name: string;
  bytes: number;
  rows: number;
}

/** Measures each table and index of a database, and its free pages; rows of indexes are not counted. */
export function storedBytes(path: string): StoredBytes[] {
  const db = new Database(path);
  try {
    const rows = new Map(
      db
        .prepare<[], string>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        )
        .pluck()
        .all()
        .map((name) => [name, db.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0]),
    );
    const used = db
      .prepare<[], { name: string; bytes: number }>(
        'SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC',
      )
      .all()
      .map(({ name, bytes }) => ({ name, bytes, rows: rows.get(name) ?? 0 }));
    const pages = (pragma: string) => Number(db.pragma(pragma, { simple: true }));
    return [...used, { name: '(free)', bytes: pages('freelist_count') * pages('page_size'), rows: 0 }];
  } finally {
    db.close();
  }
}

/** The growth between two measurements for each visit, the largest first. */
export function grownBy(
  before: readonly StoredBytes[],
  after: readonly StoredBytes[],
  visits: number,
): StoredBytes[] {
  const known = new Map(before.map((table) => [table.name, table]));
  return after
    .map(({ name, bytes, rows }) => {
      const earlier = known.get(name) ?? { bytes: 0, rows: 0 };
      return { name, bytes: (bytes - earlier.bytes) / visits, rows: (rows - earlier.rows) / visits };
    })
    .filter(({ bytes }) => bytes !== 0)
    .sort((a, b) => b.bytes - a.bytes);
}
