import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncNow } from './durable-files.ts';

const STICKY = 0o1000;

/**
 * Makes the data folder where there is none, and keeps other users of this machine out of it: it holds plates
 * and secrets. The programs' umask protects new files; this protects files that were there before. A folder
 * of another user, or of all, is left as it is.
 */
export function protectFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & STICKY) !== 0) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
  }
}

/** Writes a file whole or not at all. It is on the disk when this returns, and no other user can read it. */
export function writeSecretFile(folder: string, name: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const file = openSync(next, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  syncNow(folder);
}
