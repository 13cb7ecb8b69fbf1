import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';

const LAYERS = `
export const table = {
  layers: { ground: ['db', 'shop/price'], features: ['office', 'shop'], erasure: ['privacy'] },
  exceptions: { 'db/scan.ts -> office/scan.ts': 'loaded by a thread' },
  ownStores: true,
  writesAllTables: ['privacy'],
};
`;
const SOUND: Record<string, string> = {
  'main.ts': '',
  'db/scan.ts': "const scan = await import('../office/scan.ts');",
  'office/scan.ts': '',
  'office/desk.test.ts': "import { app } from '../shop/app.ts';",
  'shop/price.ts': "import { open } from '../db/scan.ts';",
  'shop/app.ts': "import {\n  price,\n} from './price.ts';\nimport { scan } from '../office/scan.ts';",
  'privacy/erase.ts': "import { orders } from '../shop/order-table.ts';\ndb.delete(orders);",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the checker writes about a program of these files; empty: nothing is wrong. */
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

it('accepts imports that point down, and a named exception', () => {
  expect(check(SOUND)).toBe('');
});

it.each([
  ["import type { Scan } from '../office/scan.ts';", 'office is above db'],
  ["export { scan } from '../office/scan.ts';", 'office is above db'],
  ["import '../shop/app.ts';", 'shop is above db'],
])('refuses %s in a lower folder', (text, reason) => {
  expect(check({ ...SOUND, 'db/open.ts': text })).toContain(reason);
});

it('refuses a folder without a layer, and a layer or exception without files', () => {
  expect(check({ ...SOUND, 'new/x.ts': '' })).toContain('new/x.ts is in no layer');
  rmSync(join(folder, 'src'), { recursive: true });
  const { 'shop/price.ts': _, ...others } = SOUND;
  expect(check({ ...others, 'db/scan.ts': '' })).toMatch(
    /there is no shop\/price\n.*exception.* is not needed/,
  );
});

it('refuses the store and the written table of another feature', () => {
  const store = check({ ...SOUND, 'shop/app.ts': "import { rows } from '../office/desk-store.ts';" });
  expect(store).toContain('shop/app.ts imports office/desk-store.ts, a store of another feature');
  const table = check({
    ...SOUND,
    'shop/app.ts': "import { desks } from '../office/desk-table.ts';\ndb.insert(desks);",
  });
  expect(table).toContain('shop/app.ts writes to office/desk-table.ts, a table of another feature');
});
