import { amountText } from '@hlid/protocol/base/money';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SheetCell } from '../../platform/http/sheet-cell.ts';
import { xlsxFile } from './xlsx-file.ts';

const plan = {
  name: 'Visits & more',
  columns: [
    { header: 'A <header>', width: 12 },
    { header: 'B', width: 8 },
  ],
};

async function* pages(...given: SheetCell[][][]): AsyncGenerator<SheetCell[][]> {
  yield* given;
}

async function partsOf(rows: AsyncIterable<SheetCell[][]>, sheetRows?: number) {
  const pieces: Uint8Array[] = [];
  for await (const piece of xlsxFile(plan, rows, sheetRows)) pieces.push(piece);
  const parts = unzipSync(Buffer.concat(pieces));
  return Object.fromEntries(Object.entries(parts).map(([path, bytes]) => [path, strFromU8(bytes)]));
}

const rowsIn = (xml: string | undefined) =>
  [...(xml ?? '').matchAll(/<row r="(\d+)"/g)].map(([, row]) => row);

describe('a workbook', () => {
  it('without rows has its header', async () => {
    const parts = await partsOf(pages());
    expect(rowsIn(parts['xl/worksheets/sheet1.xml'])).toEqual(['1']);
    expect(parts['xl/worksheets/sheet1.xml']).toContain('A &lt;header&gt;');
    expect(parts['xl/workbook.xml']).toContain('name="Visits &amp; more" sheetId="1"');
  });

  it('goes on on a further sheet where one is full, wherever its pages end', async () => {
    const row = (text: string): SheetCell[] => [text, null];
    const parts = await partsOf(
      pages([row('1'), row('2')], [row('3'), row('4'), row('5')], [row('6'), row('7')]),
      4,
    );
    expect(Object.keys(parts).filter((path) => path.includes('sheet'))).toHaveLength(3);
    expect([1, 2, 3].map((number) => rowsIn(parts[`xl/worksheets/sheet${number}.xml`]).length)).toEqual([
      4, 4, 2,
    ]);
    expect(parts['xl/worksheets/sheet3.xml']).toContain('>7<');
    expect(parts['xl/workbook.xml']).toContain('name="Visits &amp; more 3" sheetId="3" r:id="rId3"');
    expect(parts['xl/_rels/workbook.xml.rels']?.match(/Target="worksheets/g)).toHaveLength(3);
    expect(parts['[Content_Types].xml']?.match(/worksheet\+xml/g)).toHaveLength(3);
  });

  it('shows amounts with the decimals of their currency', async () => {
    const money = (amountMinor: number, currency: string): SheetCell => ({
      kind: 'money',
      amountMinor,
      currency,
    });
    const parts = await partsOf(
      pages([
        [money(1500, 'ISK'), money(5, 'EUR')],
        [money(-1250, 'EUR'), money(1, 'KWD')],
        [money(12_345, 'CLF'), { kind: 'count', count: 7 }],
      ]),
    );
    const cells = [...(parts['xl/worksheets/sheet1.xml'] ?? '').matchAll(/s="(\d)"><v>([^<]*)/g)];
    expect(cells.map(([, style, value]) => [style, value])).toEqual([
      ['5', '1500'],
      ['6', '0.05'],
      ['6', '-12.50'],
      ['7', '0.001'],
      ['8', '1.2345'],
      ['4', '7'],
    ]);
    expect(parts['xl/styles.xml']).toContain('<cellXfs count="10">');
  });

  it('says amounts with either decimal sign', () => {
    expect(amountText({ amountMinor: 123_456, currency: 'EUR' }, ',')).toBe('1234,56');
    expect(amountText({ amountMinor: 123_456, currency: 'ISK' }, ',')).toBe('123456');
  });
});
