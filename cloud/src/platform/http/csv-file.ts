import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { amountText } from '@hlid/protocol/base/money';
import { stringify } from 'csv-stringify/sync';
import type { SheetCell, SheetPlan } from './sheet-cell.ts';
import { isConvertedBySpreadsheets } from './spreadsheet-text.ts';

export type CsvSeparator = ';' | ',';

/**
 * CSV by RFC 4180, written as its rows come; text of strangers (a plate, a name) that a spreadsheet would run as a
 * formula gets an apostrophe before it. `;` goes with a decimal comma, as spreadsheets in Icelandic expect, `,` with
 * a decimal point.
 */
export async function* csvFile(
  plan: SheetPlan,
  pages: AsyncIterable<readonly (readonly SheetCell[])[]>,
  separator: CsvSeparator,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = (rows: readonly (readonly SheetCell[])[], bom: boolean) =>
    encoder.encode(
      stringify(
        rows.map((cells) => cells.map((cell) => csvCell(cell, separator))),
        {
          // Spreadsheets recognise UTF-8 by it.
          bom,
          delimiter: separator,
          record_delimiter: '\r\n',
          escape_formulas: true,
          // Texts that another separator would split, or a reader would trim, are quoted too.
          quoted_match: /[;,\t]|^\s|\s$/,
          // Texts of our own stay as they are, also where they begin with a minus.
          cast: { object: ({ text }) => ownText(String(text)) },
        },
      ),
    );
  const headers = plan.columns.map(({ header }) => header);
  let begun = false;
  for await (const page of pages) {
    yield lines(begun ? page : [headers, ...page], !begun);
    begun = true;
  }
  if (!begun) yield lines([headers], true);
}

/** Options for one cell are slow in the library: only text that looks like a formula has them. */
function ownText(text: string) {
  return /^[\d']/.test(text) ? text : { value: text, escape_formulas: false };
}

function csvCell(cell: SheetCell, separator: CsvSeparator): string | null | { text: string } {
  if (cell === null) return cell;
  // A plate such as MAR12 or 00700 would be a date or a number when the file is opened.
  if (typeof cell === 'string') return isConvertedBySpreadsheets(cell) ? { text: `'${cell}` } : cell;
  return { text: cellText(cell, separator) };
}

function cellText(cell: Exclude<SheetCell, null | string>, separator: CsvSeparator): string {
  switch (cell.kind) {
    case 'count':
      return String(cell.count);
    case 'code':
      return cell.code;
    case 'average':
      return cell.average.toFixed(2).replace('.', separator === ';' ? ',' : '.');
    case 'moment':
      return new Date(cell.wallMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ');
    case 'duration':
      return hours(cell.ms);
    case 'money':
      return amountText(cell, separator === ';' ? ',' : '.');
    default:
      return cell satisfies never;
  }
}

function hours(ms: number): string {
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  return `${Math.floor(ms / HOUR_MS)}:${String(minutes).padStart(2, '0')}`;
}
