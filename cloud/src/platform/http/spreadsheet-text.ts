/**
 * Detects what spreadsheets do to texts of a CSV file that look like numbers and dates. Excel and LibreOffice
 * turn MAR12 into 12-Mar, 1E10 into 1,00E+10 and 00700 into 700, by the month names of their language, and
 * write that back.
 */
const MONTHS = [
  // English, also in what German and Icelandic share with it.
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec'],
  ['january', 'february', 'march', 'april', 'june', 'july', 'august', 'september', 'october', 'november'],
  ['december'],
  // Icelandic.
  [
    'maí',
    'jún',
    'júl',
    'ágú',
    'okt',
    'nóv',
    'des',
    'janúar',
    'febrúar',
    'mars',
    'apríl',
    'júní',
    'júlí',
    'ágúst',
  ],
  ['október', 'nóvember', 'desember'],
  // German.
  [
    'jän',
    'mär',
    'mrz',
    'mai',
    'dez',
    'januar',
    'jänner',
    'februar',
    'märz',
    'juni',
    'juli',
    'oktober',
    'dezember',
  ],
  // Danish and Norwegian.
  ['maj', 'marts', 'desember', 'ags'],
].flat();

const MONTH = `(?:${[...new Set(MONTHS)].toSorted((a, b) => b.length - a.length).join('|')})\\.?`;
const BETWEEN = '[-./\\s]*';
const APART = '[-./\\s]+';

/** Texts that become a date, a number in scientific notation, or a number without its zeros. */
const CONVERTED = new RegExp(
  [
    '\\d+',
    '\\d+(?:[.,]\\d+)?E[+-]?\\d+',
    '\\d+[.,]\\d+',
    `\\d{1,4}${BETWEEN}${MONTH}(?:${BETWEEN}\\d{2,4})?`,
    `${MONTH}${BETWEEN}\\d{1,4}`,
    '\\d{1,4}(?:[-./]\\d{1,4}){1,2}\\.?',
  ]
    .map((form) => `^'*(?:${form})$`)
    .join('|'),
  'iu',
);

/** The texts that a spreadsheet makes of such a text, and formulas: no reader knows the original. */
const RESULT = new RegExp(
  [
    // Leading zeros are there still: a spreadsheet has not touched it.
    '0|[1-9]\\d*',
    '[+-]?\\d+(?:[.,]\\d+)?E[+-]\\d+',
    '\\d+[.,]\\d+',
    `\\d{1,4}${APART}${MONTH}(?:${APART}\\d{2,4})?`,
    `${MONTH}${APART}\\d{1,4}`,
    '\\d{1,4}(?:[-./]\\d{1,4}){1,2}\\.?',
    '\\d{1,2}:\\d{2}(?::\\d{2})?',
    '#+|#[A-Z/0!?]+',
    '[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20].*[\\p{L}\\p{N}].*',
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
  'iu',
);

/** Whether a spreadsheet would turn the text of a cell into something else. An apostrophe before it keeps it. */
export function isConvertedBySpreadsheets(text: string): boolean {
  return CONVERTED.test(text);
}

/** Whether a cell may be what a spreadsheet has made of another text. */
export function mayComeFromSpreadsheet(cell: string): boolean {
  return RESULT.test(cell.trim());
}
