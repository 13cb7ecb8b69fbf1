import { ROWS } from './plate-slot.ts';

/** Index entries of a list that is being built, to be written in order once all are there. Eight bytes each. */
export interface SlotOrder {
  add(slot: number, row: number): void;
  /** All of them, ascending, so many at a time. */
  inOrder(most: number): Generator<BigUint64Array>;
}

/** Sorted one after the other, each in less than a millisecond for a million entries. */
const BUCKETS = 256;
const SLOTS_A_BUCKET = 2 ** 36 / BUCKETS;
const FIRST_ROOM = 64;

export function createSlotOrder(): SlotOrder {
  const buckets = Array.from({ length: BUCKETS }, () => ({
    entries: new BigUint64Array(FIRST_ROOM),
    count: 0,
  }));
  return {
    add(slot, row) {
      const bucket = buckets[Math.floor(slot / SLOTS_A_BUCKET)];
      if (!bucket) throw new RangeError(`${slot} is no slot`);
      if (bucket.count === bucket.entries.length) {
        const roomier = new BigUint64Array(2 * bucket.count);
        roomier.set(bucket.entries);
        bucket.entries = roomier;
      }
      bucket.entries[bucket.count++] = BigInt(slot) * BigInt(ROWS) + BigInt(row);
    },
    *inOrder(most) {
      for (const bucket of buckets) {
        const sorted = bucket.entries.subarray(0, bucket.count).sort();
        for (let from = 0; from < sorted.length; from += most) yield sorted.subarray(from, from + most);
      }
    },
  };
}
