import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const BYTES = 16;
/** Random bytes are drawn for many ids at once: one by one they are the most expensive part of an id. */
const pool = new Uint8Array(256 * BYTES);
let next = pool.length;

/** A UUID in the order of time (version 7), so that rows written together are stored together. */
export function newId(): string {
  if (next >= pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const random = pool.slice(next, next + BYTES);
  next += BYTES;
  return v7({ random });
}
