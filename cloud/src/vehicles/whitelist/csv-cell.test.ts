import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainCell, safeCell } from './entry-csv.ts';

it('a cell is safe and comes back, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '=', '@', '-', '\t', '\r', 'a', '＝') }), (text) => {
      expect(plainCell(safeCell(text))).toBe(text);
      expect(safeCell(text)).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});
