import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDamaged } from './read-damaged.ts';

const PAGE = 4096;
const ROWS = 400;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-damaged-'));
  path = join(folder, 'damaged.sqlite');
  const db = new Database(path);
  db.exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT)');
  const insert = db.prepare('INSERT INTO event (body) VALUES (?)');
  for (let row = 0; row < ROWS; row++) insert.run('x'.repeat(200));
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Overwrites some of the table's leaf pages with zeros, by their place in the table. */
function zeroPages(...places: number[]): void {
  const db = new Database(path, { readonly: true });
  const leaves = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'event' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all();
  db.close();
  const file = openSync(path, 'r+');
  for (const place of places) {
    const page = leaves.at(place) ?? 0;
    writeSync(file, Buffer.alloc(PAGE), 0, PAGE, (page - 1) * PAGE);
  }
}

function readSeqs(max = Number.POSITIVE_INFINITY) {
  const db = new Database(path, { readonly: true });
  db.unsafeMode();
  const seqs: number[] = [];
  const read = readDamaged(db, { table: 'event', columns: ['seq', 'body'] }, ({ seq }) => {
    seqs.push(Number(seq));
    return seqs.length < max;
  });
  db.close();
  return { seqs, ...read };
}

describe('reading a damaged table', () => {
  it('reads every row of a sound one', () => {
    expect(readSeqs()).toMatchObject({ rows: ROWS, damaged: false });
  });

  it.each([
    { damaged: 'the first page', places: [0] },
    { damaged: 'the last page', places: [-1] },
    { damaged: 'a page in the middle', places: [7] },
    { damaged: 'pages here and there', places: [2, 3, 9, 15] },
  ])('reads the rows around $damaged from the first to the last, each once', ({ places }) => {
    zeroPages(...places);
    const { seqs, rows, damaged } = readSeqs();
    expect(damaged).toBe(true);
    expect(rows).toBe(seqs.length);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
    // A page holds 19 rows of this size at most.
    expect(seqs.length).toBeGreaterThanOrEqual(ROWS - 19 * places.length);
    expect(seqs.length).toBeLessThan(ROWS);
  });

  it('ends when it is asked to, beyond the damage too', () => {
    zeroPages(2);
    expect(readSeqs(10).seqs).toHaveLength(10);
    expect(readSeqs(100).seqs).toHaveLength(100);
  });
});
