import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';

it('works on all rows in order, and gives others a turn after every ten', async () => {
  const rows = Array.from({ length: 25 }, (_unused, row) => row);
  const seen: (number | 'other')[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      seen.push('other');
    }
  })();
  await inTurns(rows, async (some) => void seen.push(...some));
  isOver = true;
  await others;
  expect(seen.filter((row) => row !== 'other')).toEqual(rows);
  for (const last of [9, 19])
    expect(seen.slice(seen.indexOf(last) + 1, seen.indexOf(last + 1))).toContain('other');
});
