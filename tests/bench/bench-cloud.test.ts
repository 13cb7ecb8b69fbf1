import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { newVisit, withBenchCloud } from './bench-cloud.ts';
import { benchCloud } from './bench-cloud-rows.ts';
import type { BenchRow } from './bench-table.ts';

/** How many rows each table has. */
function rowsIn(path: string): Map<string, number> {
  const db = new Database(path, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const countOf = (table: string) => Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
    return new Map(tables.map((table) => [table, countOf(table)]));
  } finally {
    db.close();
  }
}

it("measures every line of the cloud's table, with few visits too", async () => {
  const rows: BenchRow[] = [];
  await benchCloud((row) => rows.push(row), {
    fewVisits: 200,
    manyVisits: 400,
    rounds: 8,
    downloadRows: 100,
  });
  expect(rows).toHaveLength(14);
  for (const { work, ratio } of rows) expect(ratio, work).toBeGreaterThan(0);
});

it('writes in the floor the rows that the cloud writes for a new visit', async () => {
  await withBenchCloud(200, async ({ folder, ask, askFloor }) => {
    const path = join(folder, 'cloud.db');
    const addedBy = async (write: () => Promise<number>) => {
      const before = rowsIn(path);
      expect([200, 303]).toContain(await write());
      const added = [...rowsIn(path)].map(
        ([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const,
      );
      return Object.fromEntries(added.filter(([, rows]) => rows !== 0));
    };
    const ours = await addedBy(() => ask('POST', '/visits', newVisit('ABX12')));
    expect(ours).toMatchObject({ visit: 1, visit_step: 1, audit: 1 });
    expect(await addedBy(() => askFloor('POST', '/visit', newVisit('ABX12')))).toEqual(ours);
    // Neither is in the way of the other's next one.
    expect(await addedBy(() => ask('POST', '/visits', newVisit('OL599')))).toEqual(ours);
  });
});
