import { statSync } from 'node:fs';

/**
 * Continues as the owner of a folder, for a command that root has typed. Root can read files that the
 * service's user cannot, and files that the command writes after this belong to the service. Does nothing for
 * users other than root, or without such a folder.
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
