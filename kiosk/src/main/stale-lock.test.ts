import { lstatSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeStaleLock } from './stale-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function lock(target: string): void {
  symlinkSync(target, join(folder, 'SingletonLock'));
  symlinkSync('/tmp/gone/SingletonSocket', join(folder, 'SingletonSocket'));
  symlinkSync('12345', join(folder, 'SingletonCookie'));
}
const isThere = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;

it.each([
  ['a host name that this machine no longer has', 'oldhost-1234567890'],
  ['a process that is gone', `${hostname()}-1234567890`],
  ['another program with that process id', `${hostname()}-${process.ppid}`],
  ['nothing that Chromium writes', 'nonsense'],
])('removes a lock of %s', (_name, target) => {
  lock(target);
  expect(removeStaleLock(folder, { executable: '/opt/HlidKiosk/hlid-kiosk' })).toBe(target);
  expect(['SingletonLock', 'SingletonSocket', 'SingletonCookie'].filter(isThere)).toEqual([]);
});

it('leaves the lock of the program that runs, also after the machine got another name', () => {
  lock(`oldhost-${process.pid}`);
  const executable = readlinkSync(`/proc/${process.pid}/exe`);
  expect(removeStaleLock(folder, { executable })).toBeNull();
  expect(isThere('SingletonLock')).toBe(true);
});

it('does nothing where there is no lock', () => {
  expect(removeStaleLock(join(folder, 'none'))).toBeNull();
});
