import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const CIPHER = 'aes-256-ctr';
const TAG_BYTES = 16;

/**
 * Seals what leaves the cloud and comes back, so that no other program can read or change it. The id of a
 * stay contains its time of entry, so an id that strangers see is sealed and not only signed. The tag is the
 * initialisation vector too (a synthetic IV, as in RFC 5297): 16 bytes more than the content, and no random
 * number that must never repeat.
 *
 * @param secret at least 128 random bits
 * @param purpose the purpose of the sealed content, which cannot be opened for another purpose
 */
export function seal(secret: string, purpose: string, content: Buffer): string {
  const { macKey, cipherKey } = keysOf(secret, purpose);
  const tag = tagOf(macKey, content);
  const cipher = createCipheriv(CIPHER, cipherKey, tag);
  return Buffer.concat([tag, cipher.update(content), cipher.final()]).toString('base64url');
}

/**
 * The decrypted content of a seal; null: it was not sealed with this secret for this purpose, or was changed.
 */
export function unseal(secret: string, purpose: string, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < TAG_BYTES) return null;
  const { macKey, cipherKey } = keysOf(secret, purpose);
  const tag = bytes.subarray(0, TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, cipherKey, tag);
  const content = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()]);
  return timingSafeEqual(tag, tagOf(macKey, content)) ? content : null;
}

function keysOf(secret: string, purpose: string): { macKey: Buffer; cipherKey: Buffer } {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', `hlid seal: ${purpose}`, 64));
  return { macKey: keys.subarray(0, 32), cipherKey: keys.subarray(32) };
}

function tagOf(macKey: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', macKey).update(content).digest().subarray(0, TAG_BYTES);
}
