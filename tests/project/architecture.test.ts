import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';

const ARCHITECTURE = readFileSync(join(PROJECT_ROOT, '.github/ARCHITECTURE.md'), 'utf8');

it('draws the layers as the tables have them; otherwise run `npm run layers`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  const copy = join(folder, 'ARCHITECTURE.md');
  const command = join(PROJECT_ROOT, 'tests/project/draw-layers.mjs');
  writeFileSync(copy, ARCHITECTURE);
  execFileSync(process.execPath, [command, copy]);
  expect(readFileSync(copy, 'utf8')).toBe(ARCHITECTURE);
  rmSync(folder, { recursive: true });
});

it('names only files and folders that exist', () => {
  const named = [...ARCHITECTURE.matchAll(/`((?:protocol|edge|cloud|kiosk|tests|deploy)\/[\w./-]*)`/g)];
  const paths = named.flatMap(([, path]) => (path === undefined ? [] : [path]));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
});
