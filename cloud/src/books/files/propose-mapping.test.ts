import type { FileKind } from '@hlid/protocol/base/books-files';
import { expect, it } from 'vitest';
import { BANK_MAPPING, booksFile, RAPYD_MAPPING, TEYA_MAPPING } from '../../../test/books.ts';
import { proposeMapping } from './propose-mapping.ts';

function propose(bytes: Uint8Array | string, kind: FileKind) {
  const looked = proposeMapping(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, kind);
  return looked.ok ? looked.proposed : expect.unreachable(JSON.stringify(looked.mistakes));
}

it.each([
  ['rapyd-like.csv', RAPYD_MAPPING],
  ['teya-like.csv', TEYA_MAPPING],
  ['bank.csv', BANK_MAPPING],
])(
  '%s is proposed as its mapping has it',
  (name, { kind, columns, delimiter, dateFormat, encoding, skipLines }) => {
    const { found, ...proposed } = propose(booksFile(name), kind);
    expect(proposed).toMatchObject({ delimiter, dateFormat, encoding, skipLines, columns });
    expect(found.map((column) => column.name)).toEqual(expect.arrayContaining(Object.values(columns)));
  },
);

it.each([
  ['rapyd-like.csv', RAPYD_MAPPING],
  ['teya-like.csv', TEYA_MAPPING],
])('the rows of %s are proposed with their kinds and signs', (name, { kinds, signs, fees }) => {
  const proposed = propose(booksFile(name), 'settlement');
  const there = proposed.found.find((column) => column.name === proposed.columns.kind)?.samples ?? [];
  const known = Object.fromEntries(Object.entries(kinds).filter(([text]) => there.includes(text)));
  expect(proposed).toMatchObject({ kinds: known, signs, fees });
});

it('numbers are read as most cells are written', () => {
  const [icelandic, english] = [
    propose('dags;upphæð\n1.2.2026;1.500,50', 'bank'),
    propose('date,amount\n2026-02-01,"1,500.50"', 'bank'),
  ];
  expect(icelandic).toMatchObject({ decimal: ',', thousands: '.', dateFormat: 'DD.MM.YYYY' });
  expect(english).toMatchObject({ decimal: '.', thousands: ',', dateFormat: 'YYYY-MM-DD' });
});

it.each([
  ['nothing', ''],
  ['one column', 'a\nb\nc'],
  ['a header alone', 'a;b;c'],
  ['a PDF', '%PDF-1.7'],
])('%s is refused', (_what, text) => {
  expect(proposeMapping(Buffer.from(text), 'bank')).toMatchObject({ ok: false });
});
