import { readFileSync } from 'node:fs';
import { Fault } from '@hlid/protocol/base/fault';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { isForbidden, readReason } from '../read-reason.ts';
import { type ProofKey, proofKeyOf } from './backup-proof.ts';

/** A new pair of keys: whoever has the secret one can read what is encrypted for the public one. */
export async function makeBackupKey(): Promise<{ publicKey: string; secretKey: string }> {
  const secretKey = await generateX25519Identity();
  return { publicKey: await identityToRecipient(secretKey), secretKey };
}

/** Encrypts for several public keys, in the format of age: `age --decrypt` reads it too. */
export function encrypterFor(publicKeys: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const key of publicKeys) encrypter.addRecipient(key);
  return encrypter;
}

/** The keys that decrypt backups and verify their proofs. */
export interface RestoreKeys {
  decrypter: Decrypter;
  proofKeys: readonly ProofKey[];
}

/** The keys for objects that are encrypted for one of the pairs of these secret keys. */
export async function restoreKeysFor(secretKeys: readonly string[]): Promise<RestoreKeys> {
  const decrypter = new Decrypter();
  const proofKeys: ProofKey[] = [];
  for (const key of secretKeys) {
    decrypter.addIdentity(key);
    proofKeys.push(proofKeyOf(await identityToRecipient(key)));
  }
  return { decrypter, proofKeys };
}

/**
 * Reads a file of secret keys, one a line, as `backup key` and age-keygen print it. Throws Fault 'config-invalid'.
 *
 * @param path `-`: the standard input, for a file that only another user may read
 */
export async function readKeyFile(path: string): Promise<RestoreKeys> {
  const name = path === '-' ? 'the standard input' : path;
  try {
    const keys = readFileSync(path === '-' ? 0 : path, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm);
    if (keys !== null) return await restoreKeysFor(keys);
  } catch (error) {
    const advice = isForbidden(error) ? `: give it by "--key-file - < ${path}"` : '';
    throw new Fault('config-invalid', `${name} cannot be read: ${readReason(error)}${advice}`);
  }
  throw new Fault('config-invalid', `${name} has no line AGE-SECRET-KEY-…`);
}
