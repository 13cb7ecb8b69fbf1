/** The values that makers write for a missing one. */
const NOTHING = new Set(['', '-', '--', 'n/a', 'none', 'null', 'unknown', 'unknow', 'undefined']);

export function isUnstated(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase());
}
