import { OFFICE_LANGUAGES } from '@hlid/protocol/base/language';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { FILE_WORDS } from '../../integration/reports/file-words.ts';

/** A row of a spreadsheet, by the names that the API has, and the line on which it ends. */
export interface StayRow {
  row: Record<string, string | number>;
  line: number;
}

const NAMES = [
  'id',
  'plate',
  'startedOn',
  'endedOn',
  'amount',
  'price',
  'currency',
  'vehicleCategory',
  'paymentStatus',
];
/** Names of nested members, as tools that make tables of JSON write them. */
const NESTED = [
  ['price.amount', 'amount'],
  ['price.currency', 'currency'],
  ['vehicle.category', 'vehicleCategory'],
] as const;
/**
 * Columns of the file of visits that the console downloads; amounts of money are in the currency's own unit
 * there.
 */
const OF_THE_FILE = ['stayPrice'] as const;

/** The columns by their headers, whatever the case and what stands between the words. */
const COLUMNS = new Map<string, string>([
  ...OFFICE_LANGUAGES.flatMap((language) => {
    const { headers } = FILE_WORDS[language].visits;
    return [
      ...(['id', 'plate', 'startedOn', 'endedOn', 'currency', 'paymentStatus', ...OF_THE_FILE] as const).map(
        (name) => [fold(headers[name]), name] as const,
      ),
      [fold(headers.category), 'vehicleCategory'] as const,
    ];
  }),
  ...NESTED.map(([header, name]) => [fold(header), name] as const),
  ...NAMES.map((name) => [fold(name), name] as const),
]);

/** The settlements by the words that the file has for them. */
const SETTLED_BY = wordsFor((language) => STATUS_WORDS[language].settlement);
const CATEGORIES = wordsFor((language) => FILE_WORDS[language].visits.category);

/**
 * Reads a spreadsheet of visits: columns with the names of the API, or the file that `/reports/visits` gives.
 */
export function readStayTable(
  file: string,
): { ok: true; rows: StayRow[] } | { ok: false; mistakes: string[] } {
  const { text, separator, skipped } = withoutPreface(file);
  const table: { row: Record<string, string>; line: number }[] = [];
  let headers: string[] = [];
  const add = (row: Record<string, string>, { lines }: { lines: number }) => {
    table.push({ row, line: lines + skipped });
    return null;
  };
  try {
    parseCsv(text, {
      columns: (line: string[]) => {
        headers = line.map((header) => COLUMNS.get(fold(header)) ?? header);
        return headers;
      },
      trim: true,
      skip_empty_lines: true,
      delimiter: separator,
      on_record: add,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, mistakes: [problemOf(error, skipped)] };
  }
  const twice = NAMES.filter((name) => headers.indexOf(name) !== headers.lastIndexOf(name));
  if (twice.length > 0) {
    return { ok: false, mistakes: twice.map((name) => `there are two columns ${name}`) };
  }
  const missing = ['startedOn', 'endedOn'].filter((name) => !headers.includes(name));
  if (missing.length > 0) {
    const there = headers.length === 0 ? 'the file is empty' : `there are: ${headers.join(', ')}`;
    return { ok: false, mistakes: missing.map((name) => `there is no column ${name}; ${there}`) };
  }
  const isOurFile = OF_THE_FILE.every((name) => headers.includes(name));
  const rows = isOurFile ? table.map(({ row, line }) => ({ row: rowOfFile(row), line })) : table;
  return { ok: true, rows };
}

/** A spreadsheet program may name the separator of the columns on a separate line. */
function withoutPreface(file: string): { text: string; separator: string; skipped: number } {
  // One kind of line's end: within quotation marks the two bytes of the other would count as two lines.
  const text = file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [preface, stated] = /^sep=(.)\n/i.exec(text) ?? [];
  return preface === undefined || stated === undefined
    ? { text, separator: separatorOf(text), skipped: 0 }
    : { text: text.slice(preface.length), separator: stated, skipped: 1 };
}

/** The one that the headers have most: amounts and names behind them may have another in them. */
function separatorOf(file: string): string {
  const [headers = ''] = file.split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: headers.split(separator).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? ',';
}

function problemOf(error: CsvError, skipped: number): string {
  const line = Number(error['lines']) + skipped;
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return `line ${line}: it has not as many columns as the headers`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `line ${line}: a quotation mark is not closed`;
    default:
      return `line ${line}: ${error.message}`;
  }
}

function rowOfFile(row: Record<string, string>): Record<string, string | number> {
  const { stayPrice = '', paymentStatus = '', vehicleCategory = '', currency = '' } = row;
  const status = SETTLED_BY.get(fold(paymentStatus)) ?? paymentStatus;
  return {
    ...row,
    paymentStatus: status,
    vehicleCategory: CATEGORIES.get(fold(vehicleCategory)) ?? vehicleCategory,
    amount: stayPrice === '' ? '' : minorOf(stayPrice, currency),
  };
}

/**
 * The minor units of an amount in the currency's own unit, with a point or a comma before its decimals; else
 * NaN.
 */
function minorOf(text: string, currency: string): number {
  const [, whole = '0', decimals = ''] = /^(\d{1,13})(?:[.,](\d{1,4}))?$/.exec(text === '' ? '0' : text) ?? [
    '',
    'x',
  ];
  const digits = minorUnitDigits(currency);
  return decimals.length > digits ? Number.NaN : Number(`${whole}${decimals.padEnd(digits, '0')}`);
}

function wordsFor<Word extends string>(of: (language: 'is' | 'en') => Record<Word, string>) {
  return new Map(
    OFFICE_LANGUAGES.flatMap((language) =>
      Object.entries<string>(of(language)).map(([key, word]) => [fold(word), key]),
    ),
  );
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
