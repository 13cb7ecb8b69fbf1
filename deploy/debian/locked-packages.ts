import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Target } from './target.ts';

const NamesSchema = z.record(z.string(), z.string()).default({});
const EntrySchema = z.looseObject({
  version: z.string().optional(),
  dependencies: NamesSchema,
  optionalDependencies: NamesSchema,
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  link: z.boolean().optional(),
});
const LockFileSchema = z.object({ packages: z.record(z.string(), EntrySchema) });
export type Lock = z.infer<typeof LockFileSchema>['packages'];
export type LockedPackage = z.infer<typeof EntrySchema>;

export function readLock(path: string): Lock {
  return LockFileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).packages;
}

/**
 * The packages that `names` need in production on one kind of machine, by their folder in the lock file.
 *
 * @param from the workspace from which they are found; '': the root
 * @param target null: of every kind
 * @param without names of packages that are left out, with what only they need
 */
export function lockedPackages(
  lock: Lock,
  names: readonly string[],
  { from = '', target, without = [] }: { from?: string; target: Target | null; without?: readonly string[] },
): Map<string, LockedPackage> {
  const found = new Map<string, LockedPackage>();
  const waiting = names.map((name) => ({ name, from }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const path = findLocked(lock, next.from, next.name);
    const entry = path === null ? undefined : lock[path];
    if (path === null || !entry || found.has(path) || entry.link || !isFor(path, entry, target)) continue;
    found.set(path, entry);
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (!without.includes(name)) waiting.push({ name, from: path });
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Where a package in `from` finds `name`, as Node.js does: in its own `node_modules`, or in one further up. */
function findLocked(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (folder === '') return null;
    const up = folder.lastIndexOf('/node_modules/');
    folder = up === -1 ? '' : folder.slice(0, up);
  }
}

function isFor(path: string, { os, cpu, libc }: LockedPackage, target: Target | null): boolean {
  if (target === null) return true;
  // Some packages name their C library in their name only.
  if (libc ? !libc.includes('glibc') : path.endsWith('-musl')) return false;
  return (!os || os.includes('linux')) && (!cpu || cpu.includes(target.node));
}
