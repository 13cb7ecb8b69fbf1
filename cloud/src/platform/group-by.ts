/** Rows by a key, each with all of its own, in their order. A row without a key is left out. */
export function groupBy<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key | null): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
