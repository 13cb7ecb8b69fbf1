import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '@hlid/node/errors';
import { Fault } from '@hlid/protocol/base/fault';
import { hashFile } from './hash-file.ts';

/** A public key of minisign (https://jedisct1.github.io/minisign/): Ed25519. */
export interface MinisignKey {
  /** The key's number as minisign prints it: 16 hexadecimal digits. */
  id: string;
  key: KeyObject;
}

/** The name of a file with public keys. */
const KEY_FILE = /\.pub$/;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Two letters for the algorithm, then the number of the key. */
const ALGORITHM_BYTES = 2;
const HEAD_BYTES = ALGORITHM_BYTES + 8;
/** How Ed25519 keys begin in DER, RFC 8410. */
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const TRUSTED_COMMENT = 'trusted comment: ';

/** @param text of a file `.pub`. Throws Fault 'config-invalid' where it is no public key */
export function parseMinisignKey(text: string): MinisignKey {
  const line = text.split('\n').find((one) => one !== '' && !one.startsWith('untrusted comment:'));
  const bytes = Buffer.from(line?.trim() ?? '', 'base64');
  if (bytes.length !== HEAD_BYTES + KEY_BYTES || algorithmOf(bytes) !== 'Ed')
    throw new Fault('config-invalid', 'it is not a public key of minisign');
  const der = Buffer.concat([DER_HEAD, bytes.subarray(HEAD_BYTES)]);
  return { id: keyIdOf(bytes), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** The keys in the files `.pub` of a folder; none where there is no folder. Throws Fault 'config-invalid'. */
export function readMinisignKeys(folder: string): MinisignKey[] {
  return keyFiles(folder).map((name) => {
    const path = join(folder, name);
    try {
      return parseMinisignKey(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new Fault('config-invalid', `${path} cannot be used`, { cause: error });
    }
  });
}

/** Whether there is any key. */
export function hasMinisignKeys(folder: string): boolean {
  return keyFiles(folder).length > 0;
}

function keyFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => KEY_FILE.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Checks a file with its signature: Ed25519 of the file's BLAKE2b-512, and of the trusted comment. The older
 * form, a signature of the file itself, is not accepted.
 *
 * @param signature the text of a file `.minisig`
 * @returns what is wrong, for a person; null: one of the keys has signed the file
 */
export async function findSignatureFault(
  file: string,
  signature: string,
  keys: readonly MinisignKey[],
): Promise<string | null> {
  const [, line = '', comment = '', globalLine = ''] = signature.split('\n');
  const [bytes, global] = [Buffer.from(line, 'base64'), Buffer.from(globalLine, 'base64')];
  const isWhole = bytes.length === HEAD_BYTES + SIGNATURE_BYTES && global.length === SIGNATURE_BYTES;
  if (!isWhole || algorithmOf(bytes) !== 'ED' || !comment.startsWith(TRUSTED_COMMENT))
    return 'its signature is not one of minisign (ED)';
  const id = keyIdOf(bytes);
  const trusted = keys.find((key) => key.id === id);
  if (trusted === undefined) return `it is signed with key ${id}, which this site does not trust`;
  const own = bytes.subarray(HEAD_BYTES);
  const signed = Buffer.concat([own, Buffer.from(comment.slice(TRUSTED_COMMENT.length))]);
  const isGenuine = verify(null, await hashFile(file, 'blake2b512'), trusted.key, own);
  return isGenuine && verify(null, signed, trusted.key, global) ? null : `key ${id} has not signed this file`;
}

function algorithmOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, ALGORITHM_BYTES);
}

/** The number is stored with its lowest byte first. */
function keyIdOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(ALGORITHM_BYTES, HEAD_BYTES)).reverse().toString('hex').toUpperCase();
}
