import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plateSlot, ROWS } from '../db/plate-slot.ts';
import { SlotOrder } from './slot-order.ts';

test('gives all entries in order, in pieces', () => {
  const Entry = fc.tuple(
    fc.maxSafeNat().map((n) => n % 2 ** 36),
    fc.nat({ max: ROWS - 1 }),
  );
  fc.assert(
    fc.property(fc.array(Entry, { maxLength: 500 }), fc.integer({ min: 1, max: 40 }), (entries, most) => {
      const order = new SlotOrder();
      for (const [slot, row] of entries) order.add(slot, row);
      const pieces = [...order.inOrder(most)];
      expect(pieces.every(({ length }) => length > 0 && length <= most)).toBe(true);
      const places = entries.map(([slot, row]) => BigInt(slot) * BigInt(ROWS) + BigInt(row));
      expect(pieces.flatMap((piece) => [...piece])).toEqual(places.sort((a, b) => (a < b ? -1 : 1)));
    }),
  );
});

test('the slots of plates are what databases hold: they never change', () => {
  expect(plateSlot('ABX12')).toBe(plateSlot('A8XI2'));
  expect(['', 'ABX12', 'ÞÓR1', '무1234'].map(plateSlot)).toMatchInlineSnapshot(`
    [
      34658180185,
      64700466932,
      11365363013,
      55837902783,
    ]
  `);
});

test('plates spread over the slots, and each has a place that fits a database', () => {
  const slots = new Set<number>();
  for (let number = 0; number < 50_000; number++) slots.add(plateSlot(`AB${number}`));
  expect(slots.size).toBeGreaterThan(40_000);
  expect(Math.max(...slots)).toBeLessThan(2 ** 36);
  expect(BigInt(2 ** 36 - 1) * BigInt(ROWS) + BigInt(ROWS - 1)).toBe(2n ** 63n - 1n);
});
