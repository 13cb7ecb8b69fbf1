import { readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Links that Chromium keeps in the folder of its user data; the lock's target is `<host name>-<process id>`. */
const LOCK = 'SingletonLock';
const LINKS = [LOCK, 'SingletonSocket', 'SingletonCookie'];

/**
 * Removes the lock of an instance that is gone. Chromium does that itself only if the host name is still the
 * same and no process has the id. After a power cut with a new name, or with the id at another program, it
 * would not start.
 *
 * @param procFolder the folder in which the kernel shows processes
 * @returns the lock that was removed; null: there is none, or its program runs
 */
export function removeStaleLock(
  folder: string,
  { executable = process.execPath, procFolder = '/proc' } = {},
): string | null {
  const lock = readLink(join(folder, LOCK));
  const [, processId] = /-(\d+)$/.exec(lock ?? '') ?? [];
  if (lock === null) return null;
  if (processId !== undefined && readLink(join(procFolder, processId, 'exe')) === executable) return null;
  for (const name of LINKS) rmSync(join(folder, name), { force: true });
  return lock;
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
