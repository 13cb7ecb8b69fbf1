import { statSync } from 'node:fs';

/**
 * Goes on as the owner of a folder, for a command that root has typed: root can read files that the service's
 * user cannot, and whatever the command writes after this belongs to the service. Does nothing for other
 * users than root, and where there is no such folder.
 */
export function becomeOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  const { uid, gid } = found;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
