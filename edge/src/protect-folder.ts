import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const STICKY = 0o1000;

/**
 * Keeps other users of this machine out of the data folder: plates and secrets lie there. What the program makes anew is
 * nobody else's by its umask; this is for what was there before. A folder that is somebody else's, or everybody's, is left
 * alone.
 */
export function protectFolder(folder: string): void {
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & STICKY) !== 0) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
  }
}
