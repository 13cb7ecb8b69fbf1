import {
  BANK_FIELDS,
  type BankField,
  DATE_FORMATS,
  type DateFormat,
  DELIMITERS,
  type Delimiter,
  type FileEncoding,
  type FileKind,
  SETTLEMENT_FIELDS,
  type SettlementField,
} from '@hlid/protocol/base/books-files';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { parse } from 'csv-parse/sync';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { fineAmount, type NumberFormat } from './amount-text.ts';
import type { SettlementMapping } from './column-mapping.ts';
import { keyOf } from './csv-rows.ts';
import { textOfFile } from './file-text.ts';
import { dayAndMoment } from './moment-text.ts';

/** The rows that are looked at. */
const MAX_ROWS = 500;
const MAX_SKIPPED = 50;
const MAX_COLUMNS = 100;
const MAX_SAMPLES = 20;
const MAX_CELL = 100;

/** A column of a CSV, with some of the different texts in it. */
export interface CsvColumn {
  name: string;
  samples: string[];
}

/** How a CSV seems to be written, and what its columns seem to be. A person decides. */
export interface ProposedMapping {
  delimiter: Delimiter;
  encoding: FileEncoding;
  decimal: NumberFormat['decimal'];
  thousands: NumberFormat['thousands'];
  dateFormat: DateFormat;
  skipLines: number;
  columns: Partial<Record<SettlementField | BankField, string>>;
  /** What the texts in the column of the kind seem to mean; those that mean nothing known are left out. */
  kinds: Record<string, KindOfText>;
  signs: SettlementMapping['signs'];
  fees: SettlementMapping['fees'];
  found: CsvColumn[];
}

type KindOfText = SettlementMapping['kinds'][string];

const NUMBERS: readonly NumberFormat[] = [
  { decimal: ',', thousands: '.' },
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: ' ' },
  { decimal: '.', thousands: "'" },
];

/** How providers and banks name their columns, in Icelandic and in English; the first that fits is taken. */
const NAMES: Readonly<Record<SettlementField | BankField, RegExp>> = {
  batch: /^(batch|settlement|uppgj)/,
  paidOn: /^(pay(ment|out).?date|paid|greiðsludag|útborgun)/,
  valueDate: /^(value|vaxtadag)/,
  date: /^(date|dags|transaction.?date|booking|bókunardag|færsludag)/,
  kind: /^(type|kind|tegund|transaction.?type)/,
  merchantReference: /^(merchant.?ref|order|pöntun)/,
  ownReference: /^(own.?ref|refund.?(id|ref))/,
  endToEndId: /^(end.?to.?end)/,
  reference: /^(reference|ref\.?$|rrn|tilv[ií]sun|transaction.?(id|no))/,
  authorisation: /^(auth|heimild)/,
  terminal: /^(terminal|posi|pos\b|tid$)/,
  lastFour: /^(card|pan|kort)/,
  method: /^(method|brand|scheme|kortategund)/,
  currency: /^(currency|mynt|gjaldmiðill)/,
  gross: /^(gross|amount|brúttó|upphæð|fjárhæð)/,
  fee: /^(fee|commission|þóknun|gjald|kostnaður)/,
  net: /^(net|nettó|til greiðslu)/,
  amount: /^(amount|upphæð|fjárhæð)/,
  debit: /^(debit|út)/,
  credit: /^(credit|inn)/,
  balance: /^(balance|staða)/,
  counterpart: /^(counterpart|name|payer|nafn|mótaðili|greiðandi)/,
  text: /^(text|description|details|skýring|texti)/,
};

/** How providers name the kinds of rows; the first that fits is taken. */
const KIND_NAMES: readonly (readonly [kind: KindOfText, pattern: RegExp])[] = [
  ['chargeback-reversed', /chargeback.*(rever|won)/],
  ['chargeback', /chargeback|dispute|bakfær/],
  ['refund', /refund|return|endurgreið/],
  ['payout', /payout|transfer|útborgun|útgreiðsl|millifærsl/],
  ['fee', /fee|commission|þóknun|gjald/],
  ['sale', /sale|purchase|payment|capture|sala|kaup|greiðsla/],
];

/**
 * Looks at a CSV for the mapping of its columns.
 *
 * @returns refused: it is no text, or no table of two columns or more
 */
export function proposeMapping(
  bytes: Uint8Array,
  kind: FileKind,
): { ok: true; proposed: ProposedMapping } | RefusedInput {
  const decoded = decode(bytes);
  if (!decoded.ok) return decoded;
  const table = tableOf(decoded.text);
  if (table === null) return refusedInput(mistake('not-csv', [], { detail: 'no table' }));
  const { delimiter, skipLines, header, rows } = table;
  const columns = namedColumns(header, kind);
  const cellOf = (row: readonly string[], field: SettlementField | BankField) =>
    row[header.indexOf(columns[field] ?? '')] ?? '';
  const cells = (field: SettlementField | BankField) => rows.flatMap((row) => cellOf(row, field) || []);
  const kinds = kindsOf(cells('kind'));
  const isSale = (row: readonly string[]) => (kinds[cellOf(row, 'kind')] ?? 'sale') === 'sale';
  const isRefund = (row: readonly string[]) => kinds[cellOf(row, 'kind')] === 'refund';
  const amounts = (['gross', 'fee', 'net', 'amount', 'debit', 'credit', 'balance'] as const).flatMap(cells);
  return {
    ok: true,
    proposed: {
      delimiter,
      encoding: decoded.encoding,
      ...numbersOf(amounts, delimiter),
      dateFormat: dateFormatOf([...cells('date'), ...cells('paidOn'), ...cells('valueDate')]),
      skipLines,
      columns,
      kinds,
      signs: rows.some((row) => isRefund(row) && isPositive(cellOf(row, 'gross') || cellOf(row, 'net')))
        ? 'by-kind'
        : 'signed',
      fees: rows.some((row) => isSale(row) && cellOf(row, 'fee').startsWith('-')) ? 'signed' : 'costs',
      found: header.map((name, place) => ({ name, samples: samplesOf(rows, place) })),
    },
  };
}

function decode(bytes: Uint8Array): { ok: true; text: string; encoding: FileEncoding } | RefusedInput {
  const unicode = textOfFile(bytes);
  if (unicode.ok) return { ok: true, text: unicode.text, encoding: 'utf-8' };
  const western = textOfFile(bytes, 'windows-1252');
  return western.ok ? { ok: true, text: western.text, encoding: 'windows-1252' } : unicode;
}

interface Table {
  delimiter: ProposedMapping['delimiter'];
  skipLines: number;
  header: string[];
  rows: string[][];
}

/** The table by the mark that cuts most lines into the same number of cells. */
function tableOf(text: string): Table | null {
  const tables = DELIMITERS.flatMap((delimiter) => tableBy(text, delimiter) ?? []);
  const [first] = tables.sort((a, b) => b.rows.length * b.header.length - a.rows.length * a.header.length);
  return first ?? null;
}

function tableBy(text: string, delimiter: Table['delimiter']): Table | null {
  const found: unknown = parse(text, {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    to: MAX_ROWS + MAX_SKIPPED,
  });
  // What the parser gives with `info`.
  const records = found as { record: string[]; info: { lines: number } }[];
  const width = commonWidth(records.map(({ record }) => filledCells(record)));
  const start = records.findIndex(({ record }) => filledCells(record) >= width);
  const head = records[start];
  if (width < 2 || head === undefined || head.info.lines - 1 > MAX_SKIPPED) return null;
  const header = head.record.map((name) => name.trim().slice(0, MAX_CELL));
  const rows = records.slice(start + 1).map(({ record }) => record.map((cell) => cell.trim()));
  if (header.length > MAX_COLUMNS || rows.length === 0) return null;
  return { delimiter, skipLines: head.info.lines - 1, header, rows };
}

/** Lines above a table often have the marks of its empty cells. */
function filledCells(record: readonly string[]): number {
  return record.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function commonWidth(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [most = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return most[0];
}

function namedColumns(header: readonly string[], kind: FileKind): ProposedMapping['columns'] {
  const columns: ProposedMapping['columns'] = {};
  const taken = new Set<string>();
  const wanted = new Set<string>(kind === 'settlement' ? SETTLEMENT_FIELDS : BANK_FIELDS);
  for (const [field, pattern] of Object.entries(NAMES)) {
    const name = header.find((one) => !taken.has(keyOf(one)) && pattern.test(keyOf(one)));
    if (name === undefined || name === '' || !wanted.has(field)) continue;
    taken.add(keyOf(name));
    columns[field as keyof typeof NAMES] = name;
  }
  return columns;
}

function kindsOf(texts: readonly string[]): Record<string, KindOfText> {
  const different = [...new Set(texts)].slice(0, MAX_SAMPLES);
  return Object.fromEntries(
    different.flatMap((text) => {
      const known = KIND_NAMES.find(([, pattern]) => pattern.test(text.toLowerCase()));
      return known === undefined ? [] : [[text, known[0]]];
    }),
  );
}

function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount) && !amount.includes('-');
}

/**
 * The format that reads most amounts. Of two, the one of Iceland; between commas, the one whose decimals have a point.
 */
function numbersOf(amounts: readonly string[], delimiter: string): NumberFormat {
  const likely = NUMBERS.toSorted(
    (a, b) => Number(a.decimal === delimiter) - Number(b.decimal === delimiter),
  );
  const counts = likely.map((format) => ({
    format,
    count: amounts.filter((text) => fineAmount(text, 'EUR', format) !== null).length,
  }));
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best?.format ?? { decimal: ',', thousands: '.' };
}

function dateFormatOf(dates: readonly string[]): DateFormat {
  const counts = DATE_FORMATS.map((format) => ({
    format,
    count: dates.filter((text) => dayAndMoment(text, format, 'UTC') !== null).length,
  }));
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best?.format ?? 'YYYY-MM-DD';
}

function samplesOf(rows: readonly string[][], place: number): string[] {
  const texts = new Set(rows.flatMap((row) => row[place] || []));
  return [...texts].slice(0, MAX_SAMPLES).map((text) => text.slice(0, MAX_CELL));
}
