import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

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

/** Decrypts what is encrypted for one of the pairs of these secret keys. */
export function decrypterFor(secretKeys: readonly string[]): Decrypter {
  const decrypter = new Decrypter();
  for (const key of secretKeys) decrypter.addIdentity(key);
  return decrypter;
}

/** Reads a file of secret keys, one a line, as `backup key` and age-keygen print it. Throws Fault 'config-invalid'. */
export function readKeyFile(path: string): Decrypter {
  try {
    const keys = readFileSync(path, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm);
    if (keys !== null) return decrypterFor(keys);
  } catch (error) {
    throw new Fault('config-invalid', `${path} cannot be read: ${messageOf(error)}`);
  }
  throw new Fault('config-invalid', `${path} has no line AGE-SECRET-KEY-…`);
}
