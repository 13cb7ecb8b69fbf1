import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ReadLine, readCsv } from './read-csv.ts';

it('a file is read the same in whatever pieces it comes', async () => {
  const bytes = Buffer.from('plate;reason\r\nÞÆ1;"a;\r\nb"\r\nAB2;Ö\r\n');
  const readIn = async (cuts: number[]) => {
    async function* pieces() {
      const places = [...new Set(cuts)].sort((one, other) => one - other);
      for (const [n, from] of [0, ...places].entries()) yield bytes.subarray(from, places[n] ?? bytes.length);
    }
    const lines: ReadLine[] = [];
    for await (const line of readCsv(pieces())) lines.push(line);
    return lines;
  };
  const whole = await readIn([]);
  expect(whole).toMatchObject([{ cells: { plate: 'ÞÆ1' } }, { cells: { plate: 'AB2', reason: 'Ö' } }]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
      expect(await readIn(cuts)).toEqual(whole);
    }),
  );
});
