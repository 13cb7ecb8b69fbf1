import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldCopies } from './retention-run.ts';

it('removes copies from before that moment, and no other file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-copies-'));
  const old = new Date('2026-10-01T00:00:00Z');
  for (const name of [
    'site.sqlite',
    'site.sqlite.before-upgrade',
    'site.sqlite.replaced-2',
    'other.before-upgrade',
  ]) {
    writeFileSync(join(folder, name), 'x');
    if (name !== 'site.sqlite.replaced-2') utimesSync(join(folder, name), old, old);
  }
  const path = join(folder, 'site.sqlite');
  expect(removeOldCopies(path, new Date('2026-10-02T00:00:00Z'))).toBe(1);
  expect(readdirSync(folder).sort()).toEqual([
    'other.before-upgrade',
    'site.sqlite',
    'site.sqlite.replaced-2',
  ]);
  rmSync(folder, { recursive: true });
});
