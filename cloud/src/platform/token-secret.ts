import { createHash, randomBytes } from 'node:crypto';

/** A new secret for a machine or a session: 256 random bits. It has no dot; a site's credentials have one. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The stored form of a secret. One round of SHA-256 suffices for 256 random bits: there is nothing to guess.
 * A look-up of the hash by an index shows an attacker nothing either, as no attacker can choose it.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
