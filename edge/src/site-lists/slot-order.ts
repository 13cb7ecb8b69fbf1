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
/** A bucket grows by blocks: one that were copied into a larger one would need room for both. */
const ENTRIES_A_BLOCK = 256;

export function createSlotOrder(): SlotOrder {
  const buckets = Array.from({ length: BUCKETS }, () => ({ blocks: [new BigUint64Array(0)], room: 0 }));
  return {
    add(slot, row) {
      const bucket = buckets[Math.floor(slot / SLOTS_A_BUCKET)];
      if (!bucket) throw new RangeError(`${slot} is no slot`);
      if (bucket.room === 0) {
        bucket.blocks.push(new BigUint64Array(ENTRIES_A_BLOCK));
        bucket.room = ENTRIES_A_BLOCK;
      }
      const block = bucket.blocks.at(-1);
      if (block) block[ENTRIES_A_BLOCK - bucket.room--] = BigInt(slot) * BigInt(ROWS) + BigInt(row);
    },
    *inOrder(most) {
      for (const { blocks, room } of buckets) {
        const entries = new BigUint64Array(blocks.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const block of blocks) {
          entries.set(block, at);
          at += block.length;
        }
        const sorted = entries.subarray(0, entries.length - room).sort();
        for (let from = 0; from < sorted.length; from += most) yield sorted.subarray(from, from + most);
      }
    },
  };
}
