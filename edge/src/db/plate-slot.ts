import { foldPlate } from '@hlid/protocol/plate/plate';

/**
 * The index of the permits by plate is a table of plain numbers, `slot × ROWS + row`: the slot is 36 bits of
 * a hash of the folded plate, the row that of the permit. It is a sixth of the size of an index of plates. A
 * new one can be written in order and in small steps, as a list of a million needs. Two plates may share a
 * slot, so a lookup compares the plates.
 */
export const ROWS = 2 ** 27;

/** The slot of a plate; plates with the same folded key have the same one. */
export function plateSlot(plate: string): number {
  return slotOfKey(foldPlate(plate));
}

/**
 * The slot of a folded key, which is for ever: databases are full of them. Two FNV-1a hashes, 32 bits and 4 bits of
 * them.
 */
export function slotOfKey(key: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x01000193);
  }
  return (high >>> 0) * 16 + (low >>> 28);
}

/** The place in a slot before which no permit of it stands. */
export function firstPlace(slot: number): bigint {
  return BigInt(slot) * BigInt(ROWS);
}
