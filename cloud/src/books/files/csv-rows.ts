import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CsvError, parse } from 'csv-parse/sync';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { MAX_FILE_ROWS } from './file-content.ts';

/** A row by the names of its columns. */
export interface CsvRow {
  line: number;
  /** The cell of a column, trimmed; empty for a column that the file lacks. */
  cell(column: string): string;
}

export type CsvRows = { ok: true; rows: CsvRow[]; columns: ReadonlySet<string> } | RefusedInput;

/**
 * Reads the rows of a CSV file by the names in its header; capital letters do not count in them.
 *
 * @param required the columns that must be there
 * @param skipLines lines before the header
 */
export function csvRows(
  text: string,
  {
    delimiter,
    required,
    skipLines = 0,
  }: { delimiter: string; required: readonly string[]; skipLines?: number },
): CsvRows {
  const parsed = parseCells(text, delimiter, skipLines);
  if (!parsed.ok) return parsed;
  const [header, ...records] = parsed.records;
  if (header === undefined) return refusedInput(mistake('file-empty'));
  const names = header.cells.map(keyOf);
  const twice = required.find((name) => names.filter((other) => other === keyOf(name)).length > 1);
  if (twice !== undefined) return refusedInput(mistake('file-column-twice', [], { column: twice }));
  const missing = required.filter((name) => !names.includes(keyOf(name)));
  if (missing.length > 0) return refusedInput(mistake('file-columns', [], { columns: missing }));
  const wrong = records.find(({ cells }) => cells.length !== names.length);
  if (wrong !== undefined) {
    const counts = { cells: wrong.cells.length, columns: names.length };
    return refusedInput(mistake('file-cells', [], { line: String(wrong.line), ...counts }));
  }
  if (records.length === 0) return refusedInput(mistake('file-no-rows'));
  if (records.length > MAX_FILE_ROWS) return refusedInput(mistake('file-rows', [], { max: MAX_FILE_ROWS }));
  const places = new Map(names.map((name, place) => [name, place]));
  const rows = records.map(({ line, cells }) => ({
    line,
    cell: (column: string) => cells[places.get(keyOf(column)) ?? -1]?.trim() ?? '',
  }));
  return { ok: true, rows, columns: new Set(names) };
}

/** The names in the first line of a file that may be CSV. */
export function headerOf(text: string, delimiter: string): ReadonlySet<string> {
  const [line = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  return new Set(line.split(delimiter).map((name) => keyOf(name.replaceAll('"', ''))));
}

export function keyOf(column: string): string {
  return column.trim().toLowerCase();
}

interface CsvRecord {
  line: number;
  cells: string[];
}

function parseCells(
  text: string,
  delimiter: string,
  skipLines: number,
): { ok: true; records: CsvRecord[] } | RefusedInput {
  try {
    const found: unknown = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      from_line: skipLines + 1,
      to: MAX_FILE_ROWS + 2,
    });
    // What the parser gives with `info`.
    const records = found as { record: string[]; info: { lines: number } }[];
    return { ok: true, records: records.map(({ record, info }) => ({ line: info.lines, cells: record })) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refusedInput(mistake('not-csv', [], { detail: error.message }));
  }
}

/** What is wrong with a cell. @param wanted what should stand there */
export function wrongCell({ line, cell }: CsvRow, column: string, wanted: string): Mistake {
  return mistake('file-cell', [], { line: String(line), column, value: cell(column).slice(0, 40), wanted });
}
