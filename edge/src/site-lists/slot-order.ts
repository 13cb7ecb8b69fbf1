import { ROWS } from '../db/plate-slot.ts';

/** Each is sorted on its own, in less than a millisecond for a million entries in all. */
const BUCKETS = 256;
const SLOTS_PER_BUCKET = 2 ** 36 / BUCKETS;
/** A bucket grows by blocks: copying it into a larger one would need room for both. */
const ENTRIES_PER_BLOCK = 256;

/** Index entries of a list that is being built, to be written in order once all are there. Eight bytes each. */
export class SlotOrder {
  readonly #buckets = Array.from({ length: BUCKETS }, () => ({ blocks: [new BigUint64Array(0)], room: 0 }));

  add(slot: number, row: number): void {
    const bucket = this.#buckets[Math.floor(slot / SLOTS_PER_BUCKET)];
    if (!bucket) throw new RangeError(`${slot} is no slot`);
    if (bucket.room === 0) {
      bucket.blocks.push(new BigUint64Array(ENTRIES_PER_BLOCK));
      bucket.room = ENTRIES_PER_BLOCK;
    }
    const block = bucket.blocks.at(-1);
    if (block) block[ENTRIES_PER_BLOCK - bucket.room--] = BigInt(slot) * BigInt(ROWS) + BigInt(row);
  }

  /** All entries, ascending, in portions of at most `max`. */
  *inOrder(max: number): Generator<BigUint64Array> {
    for (const { blocks, room } of this.#buckets) {
      const entries = new BigUint64Array(blocks.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const block of blocks) {
        entries.set(block, at);
        at += block.length;
      }
      const sorted = entries.subarray(0, entries.length - room).sort();
      for (let from = 0; from < sorted.length; from += max) yield sorted.subarray(from, from + max);
    }
  }
}
