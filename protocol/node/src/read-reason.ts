import { userInfo } from 'node:os';
import { messageOf } from '@hlid/protocol/base/fault';

/** Whether a file is there that this program's user may not read. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES';
}

/**
 * The reason why a file cannot be read. A person who types a command as root is informed that the program
 * runs as another user.
 */
export function readReason(error: unknown): string {
  return isForbidden(error) ? `the user ${userInfo().username} may not read it` : messageOf(error);
}
