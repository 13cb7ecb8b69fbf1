import { randomBytes } from 'node:crypto';

/** A secret that cannot be guessed, of letters, digits, `-` and `_`. */
export function newSecret(): string {
  return randomBytes(18).toString('base64url');
}
