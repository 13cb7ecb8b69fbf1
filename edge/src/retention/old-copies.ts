import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the copies of the database that were made before a migration and are from before a moment. @returns how many
 */
export function removeOldCopies(dbPath: string, before: Date): number {
  const folder = dirname(dbPath);
  const old = readdirSync(folder).filter(
    (name) => name.startsWith(`${basename(dbPath)}.before-v`) && statSync(join(folder, name)).mtime < before,
  );
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old.length;
}
