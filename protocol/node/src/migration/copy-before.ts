import { rmSync, statSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';

/** The days for which a copy from before is kept. */
const KEPT_DAYS = 7;
/** A program that runs for this long does not end again and again. */
const STEADY_MS = HOUR_MS;

/** The copy of a database from before its migrations. */
export function beforePath(path: string): string {
  return `${path}.before-upgrade`;
}

/** How to go back to the copy from before, and what that loses. */
export function describeGoBack(path: string, revertCommand: string): string {
  const made = statSync(beforePath(path), { throwIfNoEntry: false })?.mtime;
  return made === undefined
    ? 'Install the newer version again, or restore a backup that this version made.'
    : `Install the newer version again, or go back to the copy of ${made.toISOString()}: ${revertCommand}`;
}

/**
 * Deletes the copy from before when the new version has worked for a week.
 *
 * @param upMs how long the program has run
 * @returns whether there was one to delete
 */
export function deleteOldCopy(path: string, { now, upMs }: { now: Date; upMs: number }): boolean {
  const made = statSync(beforePath(path), { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined || upMs < STEADY_MS || now.getTime() - made < KEPT_DAYS * DAY_MS) return false;
  rmSync(beforePath(path));
  return true;
}
