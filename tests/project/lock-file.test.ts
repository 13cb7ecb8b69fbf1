import { readFileSync } from 'node:fs';
import { VERSION } from '@hlid/protocol/base/version';
import { expect, it } from 'vitest';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).optional();
const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), dependencies: names, optionalDependencies: names }),
  ),
});

const readLockFile = () =>
  LockFile.parse(JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')))
    .packages;

it('has one version for all of our packages, and the programs name it', () => {
  const ours = Object.entries(readLockFile()).filter(([path]) => !path.includes('node_modules'));
  expect(ours.length).toBeGreaterThan(5);
  for (const [path, { version }] of ours) expect(version, path).toBe(VERSION);
});

// `npm ci` refuses a lock file that lacks a package of any platform. npm writes such a file, without a word, where the
// registry does not serve all of them.
it('the lock file has every package of every platform', () => {
  const packages = readLockFile();
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Whether a package in `path` finds `name`, as Node does: in its own `node_modules`, or in one further up. */
function isLocked(packages: Record<string, unknown>, path: string, name: string): boolean {
  if (packages[path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`] !== undefined)
    return true;
  if (path === '') return false;
  const up = path.lastIndexOf('/node_modules/');
  return isLocked(packages, up === -1 ? '' : path.slice(0, up), name);
}
