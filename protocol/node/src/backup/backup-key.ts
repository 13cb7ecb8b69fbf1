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

/** Reads a file of secret keys, one a line, as `backup key` and age-keygen print it. Throws Fault 'config-invalid'. */
export function readKeyFile(path: string): Decrypter {
  const decrypter = new Decrypter();
  let keys: string[];
  try {
    keys = readFileSync(path, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm) ?? [];
    for (const key of keys) decrypter.addIdentity(key);
  } catch (error) {
    throw new Fault('config-invalid', `${path} cannot be read: ${messageOf(error)}`);
  }
  if (keys.length === 0) throw new Fault('config-invalid', `${path} has no line AGE-SECRET-KEY-…`);
  return decrypter;
}
