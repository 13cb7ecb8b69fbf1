import { minorUnitDigits } from '@hlid/protocol/money';
import { parse as parseCsv } from 'csv-parse/sync';
import { FILE_LANGUAGES, VISIT_FILE_WORDS } from '../reports/visit-file-words.ts';

/** A row of a spreadsheet, by the names that the API has. */
export type StayRow = Record<string, string | number>;

const NAMES = [
  'id',
  'startedOn',
  'endedOn',
  'amount',
  'price',
  'currency',
  'vehicleCategory',
  'paymentStatus',
];
/** Of nested members, as tools that make tables of JSON write them. */
const NESTED = [
  ['price.amount', 'amount'],
  ['price.currency', 'currency'],
  ['vehicle.category', 'vehicleCategory'],
] as const;
/** Of the file of visits that the console downloads; those of money count in the currency's own unit there. */
const OF_THE_FILE = ['due', 'invoiceAmount'] as const;

/** By what a header says, whatever its case and what stands between its words. */
const COLUMNS = new Map<string, string>([
  ...FILE_LANGUAGES.flatMap((language) => {
    const { headers } = VISIT_FILE_WORDS[language];
    return [
      ...(['id', 'startedOn', 'endedOn', 'currency', 'paymentStatus', ...OF_THE_FILE] as const).map(
        (name) => [fold(headers[name]), name] as const,
      ),
      [fold(headers.category), 'vehicleCategory'] as const,
    ];
  }),
  ...NESTED.map(([header, name]) => [fold(header), name] as const),
  ...NAMES.map((name) => [fold(name), name] as const),
]);

/** By the words that the file has for them. */
const SETTLED_BY = wordsFor((language) => VISIT_FILE_WORDS[language].paymentStatus);
const CATEGORIES = wordsFor((language) => VISIT_FILE_WORDS[language].category);

/** What a spreadsheet has of visits: columns with the names of the API, or the file that `/reports/visits` gives. */
export function readStayTable(
  file: string,
): { ok: true; rows: StayRow[] } | { ok: false; mistakes: string[] } {
  let table: Record<string, string>[];
  let headers: string[] = [];
  try {
    table = parseCsv(file, {
      columns: (line: string[]) => {
        headers = line.map((header) => COLUMNS.get(fold(header)) ?? header);
        return headers;
      },
      bom: true,
      trim: true,
      skip_empty_lines: true,
      delimiter: separatorOf(file),
    });
  } catch (error) {
    return { ok: false, mistakes: [error instanceof Error ? error.message : String(error)] };
  }
  const missing = ['startedOn', 'endedOn'].filter((name) => !headers.includes(name));
  if (missing.length > 0) {
    const there = headers.length === 0 ? 'the file is empty' : `there are: ${headers.join(', ')}`;
    return { ok: false, mistakes: missing.map((name) => `there is no column ${name}; ${there}`) };
  }
  const isOurFile = OF_THE_FILE.every((name) => headers.includes(name));
  return { ok: true, rows: isOurFile ? table.map(rowOfFile) : table };
}

/** The one that the headers have most: amounts and names behind them may have another in them. */
function separatorOf(file: string): string {
  const [headers = ''] = file.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: headers.split(separator).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? ',';
}

function rowOfFile(row: Record<string, string>): StayRow {
  const { due = '', invoiceAmount = '', paymentStatus = '', vehicleCategory = '', currency = '' } = row;
  const status = SETTLED_BY.get(fold(paymentStatus)) ?? paymentStatus;
  // An invoice to a company may be of many visits.
  const was = status === 'company-invoice' ? null : minorOf(due, currency) + minorOf(invoiceAmount, currency);
  return {
    ...row,
    paymentStatus: status,
    vehicleCategory: CATEGORIES.get(fold(vehicleCategory)) ?? vehicleCategory,
    amount: was ?? '',
  };
}

/** Of an amount in the currency's own unit, with a point or a comma before its decimals; NaN where it is none. */
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
    FILE_LANGUAGES.flatMap((language) =>
      Object.entries<string>(of(language)).map(([key, word]) => [fold(word), key]),
    ),
  );
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
