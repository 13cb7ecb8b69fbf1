import { expect, it } from 'vitest';
import { LineCollector } from './line-collector.ts';

it.each([
  ['\n', 'a line feed'],
  ['\r', 'a carriage return'],
  ['\r\n', 'both'],
  ['\x03', 'the end of a text'],
])('ends a line by %j, %s, whatever the pieces are', (end) => {
  const lines = new LineCollector();
  const bytes = Buffer.from(`\x02ABCDE-12345${end} 7-8 ${end}${end}`);
  expect([...bytes].flatMap((byte) => lines.take(Uint8Array.of(byte)))).toEqual(['ABCDE-12345', '7-8']);
});

it('leaves out what is longer than any code, and goes on with the next line', () => {
  const lines = new LineCollector();
  for (let n = 0; n < 1000; n++) expect(lines.take(Buffer.alloc(4096, 65))).toEqual([]);
  expect(lines.take(Buffer.from('\nABCDE\n'))).toEqual(['ABCDE']);
});
