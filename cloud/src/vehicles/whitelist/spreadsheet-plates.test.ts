import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const CSV = { 'content-type': 'text/csv' };
const send = (body: string, query = '') =>
  api.call('POST', `/visit/whitelist/import${query}`, { body, headers: CSV });
const lines = (plates: readonly string[]) =>
  ['plate;reason', ...plates.map((plate) => `${plate};x`)].join('\n');

/** Plates as they were typed, and what spreadsheets save in English, Icelandic and German. */
const CHANGED = [
  [
    'MAR12',
    ['12-Mar', '12.mar', '12. mar.', '12. Mrz', '12-Mär', '12. mars', 'Mar-12', '2026-03-12', '12.03.2026'],
  ],
  ['DEC1', ['01-Dec', '1.des', '01. Dez', '1-Dec-26', '01/12/2026']],
  ['MAI5', ['05-May', '5. maí', '05. Mai', '5.5.2026']],
  ['JUN07', ['07-Jun', '7.jún', '2007-06-01', 'Jun-07']],
  ['1E10', ['1,00E+10', '1.00E+10', '1E+10', '10000000000']],
  ['12E10', ['1.2E+11', '1,2E+11', '1,20E+11']],
  ['5E3', ['5,00E+03', '5000']],
  ['00700', ['700']],
  ['0E1', ['0', '0,00E+00']],
] as const;

describe('plates that a spreadsheet may have changed', () => {
  it.each(CHANGED)('%s: each line is refused, and named', async (typed, cells) => {
    const { body } = await send(lines(['ABX12', ...cells]));
    expect(body).toMatchObject({ added: 1, unchanged: 0 });
    expect(body['refused']).toMatchObject(
      cells.map((cell, n) => ({
        line: n + 3,
        codes: [{ code: 'spreadsheet-plate', path: ['plate'], params: { cell } }],
      })),
    );
    expect((await send(lines(cells), '?dryRun=true')).body).toMatchObject({ added: 0 });
    expect((await send(lines([typed]))).body).toMatchObject({ added: 1, refused: [] });
  });

  it.each(['=A1', '+A1', '-A1', '@A1', '\uFF1DA1', ' =A1'])(
    '%s is a formula, and is refused',
    async (cell) => {
      const { body } = await send(lines(['ABX12', cell]));
      expect(body).toMatchObject({
        added: 1,
        refused: [{ line: 3, codes: [{ code: 'spreadsheet-plate', path: ['plate'] }] }],
      });
      expect(await api.plates('/visit/whitelist')).toEqual(['ABX12']);
      expect((await send(lines([`'${cell.trim()}`]))).body).toMatchObject({ added: 1, refused: [] });
    },
  );

  it('are read as they are with an apostrophe before them', async () => {
    expect((await send(lines(["'700", "'12-Mar", "'ABX12"]))).body).toMatchObject({ added: 3, refused: [] });
    expect((await api.plates('/visit/whitelist')).toSorted()).toEqual(['12MAR', '700', 'ABX12']);
  });

  it('are no others', async () => {
    const plates = [
      'AB-123',
      '12-AB-34',
      'TRUE1',
      '1E1A',
      'MAR',
      'A1E10',
      'DEC12X',
      'W 12345 Z',
      'E10',
      '007',
    ];
    expect((await send(lines(plates))).body).toMatchObject({ added: plates.length, refused: [] });
  });

  it('come back from our own export, whatever a spreadsheet does on the way', async () => {
    const plates = [...CHANGED.map(([typed]) => typed), '12MAR', '700', 'ABX12', 'ÞÓR01', '10E2'];
    for (const plate of plates)
      await api.made('/visit/whitelist', { plate, reason: 'Staff', collection: 'MAR1' });
    const answer = await api.app.request('/visit/whitelist/export?separator=semicolon', {
      headers: { authorization: `Bearer ${api.operator}` },
    });
    const file = await answer.text();
    const saved = (parse(file, { delimiter: ';' }) as string[][]).map((row) =>
      row.map(asSpreadsheet).join(';'),
    );
    const again = await createTestApi();
    const read = await again.call('POST', '/visit/whitelist/import', {
      body: saved.join('\n'),
      headers: CSV,
    });
    expect(read.body).toMatchObject({ added: plates.length, refused: [] });
    expect((await again.plates('/visit/whitelist')).toSorted()).toEqual([...plates].toSorted());
    await again.close();
  });

  it('keep their text in the file of visits too', async () => {
    await api.visit({ plate: 'MAR12' });
    await api.visit({ plate: '00700' });
    const answer = await api.app.request('/visits/download?format=csv&columns=plate', {
      headers: { authorization: `Bearer ${api.operator}` },
    });
    expect((await answer.text()).split('\r\n').slice(1, 3).toSorted()).toEqual(["'00700", "'MAR12"]);
  });
});

/** A cell of a file that is opened and saved, as far as it matters here. */
function asSpreadsheet(cell: string): string {
  if (/^\d+$/.test(cell)) return String(Number(cell));
  if (/^\d+E\d+$/i.test(cell)) return Number(cell).toExponential(2).replace('.', ',').toUpperCase();
  const [, month, day] = /^(JAN|MAR|MAI|JUN|DEC)(\d+)$/.exec(cell) ?? [];
  if (month !== undefined && day !== undefined) return `${day.padStart(2, '0')}-${month}`;
  const [, first, name] = /^(\d+)(JAN|MAR|MAI|JUN|DEC)$/.exec(cell) ?? [];
  return first !== undefined && name !== undefined ? `${first}-${name}` : cell;
}
