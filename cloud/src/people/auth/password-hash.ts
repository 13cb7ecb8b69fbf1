import { hash, verify } from '@node-rs/argon2';
import { normalPassword } from './password-rules.ts';

/** Argon2id at OWASP's recommended cost: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(normalPassword(password), COST);
}

let nobodysHash: Promise<string> | undefined;

/**
 * Whether this is the password of that hash. For a login that does not exist pass null: the work is the same, so
 * that its duration does not show which logins exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody');
  const standIn = await nobodysHash;
  const matches = await verify(passwordHash ?? standIn, normalPassword(password));
  return matches && passwordHash !== null;
}
