/** A statement has this many values at most, so that its text does not grow with what is asked. */
const CHUNK = 500;

/** Reads by ids, some at a time, and each once. */
export async function inChunks<Row>(
  ids: readonly string[],
  read: (some: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  for (let from = 0; from < unique.length; from += CHUNK) {
    for (const row of await read(unique.slice(from, from + CHUNK))) rows.push(row);
  }
  return rows;
}
