import { createHash } from 'node:crypto';

/** Identifies an event by its JSON text as the site sends it: the first 128 bits of SHA-256. */
export function eventDigest(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, 32);
}
