import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { protectFolder, writeSecretFile } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o7777;

test('a data folder and the files in it are closed to other users', () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'plates.db'), '');
  chmodSync(data, 0o755);
  chmodSync(join(data, 'plates.db'), 0o644);
  protectFolder(data);
  expect([modeOf(data), modeOf(join(data, 'plates.db'))]).toEqual([0o700, 0o600]);
});

test('a folder that is not there is made, and one that all users use is left as it is', () => {
  protectFolder(join(folder, 'new', 'data'));
  expect(modeOf(join(folder, 'new', 'data'))).toBe(0o700);
  chmodSync(folder, 0o1777);
  protectFolder(folder);
  expect(modeOf(folder)).toBe(0o1777);
});

test('a secret is written whole, for its owner only, over what a crash left behind', () => {
  writeFileSync(join(folder, 'key.json.next'), 'half');
  writeSecretFile(folder, 'key.json', { secret: 's' });
  writeSecretFile(folder, 'key.json', { secret: 't' });
  expect(JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8'))).toEqual({ secret: 't' });
  expect(modeOf(join(folder, 'key.json'))).toBe(0o600);
  expect(existsSync(join(folder, 'key.json.next'))).toBe(false);
});
