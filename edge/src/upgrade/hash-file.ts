import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The digest of a file, which is not in memory as a whole. */
export async function hashFile(file: string, algorithm: 'sha256' | 'blake2b512'): Promise<Buffer> {
  const hash = createHash(algorithm);
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest();
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sumOf(file: string): Promise<string> {
  return (await hashFile(file, 'sha256')).toString('hex');
}
