import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { ElectronicIdMethod } from './electronic-id.ts';

/**
 * A new code, which our page and the phone both show. For a SIM card anybody may choose it. The app derives it from a
 * hash, so that it is random too.
 */
export function newVerification(method: ElectronicIdMethod): { code: string; hash: string | null } {
  if (method === 'sim') return { code: fourDigits(randomInt(10_000)), hash: null };
  const hash = createHash('sha512').update(randomBytes(32)).digest('base64');
  return { code: codeOfHash(hash), hash };
}

/**
 * The code that the app shows for a hash (Auðkenni, "Calculating Verification Code"). It is the last two
 * bytes of its SHA-256, as a big-endian number, in four digits.
 * @param hash base64; its bytes count, not its text
 */
export function codeOfHash(hash: string): string {
  const digest = createHash('sha256').update(Buffer.from(hash, 'base64')).digest();
  return fourDigits(digest.readUInt16BE(digest.length - 2) % 10_000);
}

function fourDigits(n: number): string {
  return String(n).padStart(4, '0');
}
