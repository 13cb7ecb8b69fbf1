import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';

const LAYERS = `
export const table = {
  folders: { ground: '', rows: '', features: '', erasure: '' },
  records: 'rows',
  writesAllTables: ['erasure'],
};
`;
const SOUND: Record<string, string> = {
  'main.ts': "import { app } from './features/shop/app.ts';",
  'ground/db.ts': '',
  'rows/office/desk-store.ts': "import { desks } from './desk-table.ts';\ndb.insert(desks);",
  'rows/office/desk-table.ts': "import { column } from '../../ground/db.ts';",
  'rows/shop/order-table.ts': '',
  'features/office/desk.ts': "import { rows } from '../../rows/office/desk-store.ts';",
  'features/office/desk.test.ts': "import { erase } from '../../erasure/erase.ts';",
  'features/shop/price.ts': "import { open } from '../../ground/db.ts';",
  'features/shop/till-store.ts': '',
  'features/shop/app.ts':
    "import {\n  price,\n} from './price.ts';\nimport { rows } from '../../rows/office/desk-store.ts';\nimport { till } from './till-store.ts';",
  'erasure/erase.ts': "import { orders } from '../rows/shop/order-table.ts';\ndb.delete(orders);",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The output of the checker about a program of these files; empty: it found no fault. */
function check(files: Record<string, string>): string {
  const named = Object.entries(files).map(([name, text]): [string, string] => [`src/${name}`, text]);
  for (const [name, text] of [['layers.mjs', LAYERS], ...named] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const checker = join(PROJECT_ROOT, 'tests/project/check-layers.mjs');
  const { status, stderr } = spawnSync(process.execPath, [checker, folder], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it('accepts imports that point down, and tests that point anywhere', () => {
  expect(check(SOUND)).toBe('');
});

it.each([
  ["import type { Desk } from '../features/office/desk.ts';", 'features is above ground'],
  ["export { desk } from '../features/office/desk.ts';", 'features is above ground'],
  ["import '../erasure/erase.ts';", 'erasure is above ground'],
  ["const shop = await import('../features/shop/app.ts');", 'features is above ground'],
  ["import { start } from '../main.ts';", 'src is above ground'],
])('refuses %s in a lower folder', (text, reason) => {
  expect(check({ ...SOUND, 'ground/open.ts': text })).toContain(reason);
});

it('refuses a folder without a place, and a place without a folder', () => {
  expect(check({ ...SOUND, 'new/x.ts': '' })).toContain('new/ is in no place of the order');
  rmSync(join(folder, 'src'), { recursive: true });
  const { 'erasure/erase.ts': _, ...others } = SOUND;
  expect(check(others)).toContain('there is no folder erasure/');
});

it('refuses files that import each other, also around others, and folders in a folder that do', () => {
  const files = check({
    ...SOUND,
    'ground/a.ts': "import type { B } from './b.ts';",
    'ground/b.ts': "import { c } from './c.ts';",
    'ground/c.ts': "import { a } from './a.ts';",
  });
  expect(files).toContain('files import each other: ground/a.ts -> ground/b.ts');
  const folders = check({
    ...SOUND,
    'features/office/sale.ts': "import { price } from '../shop/price.ts';",
    'features/shop/seat.ts': "import { desk } from '../office/desk.ts';",
  });
  expect(folders).toContain('folders import each other: features/office -> features/shop');
});

it('refuses the store and the written table of another feature', () => {
  const store = check({
    ...SOUND,
    'features/office/sale.ts': "import { till } from '../shop/till-store.ts';",
  });
  expect(store).toContain(
    'features/office/sale.ts imports features/shop/till-store.ts, a store of another feature',
  );
  const table = check({
    ...SOUND,
    'features/shop/desks.ts': "import { desks } from '../../rows/office/desk-table.ts';\ndb.insert(desks);",
  });
  expect(table).toContain(
    'features/shop/desks.ts writes to rows/office/desk-table.ts, a table of another feature',
  );
});
