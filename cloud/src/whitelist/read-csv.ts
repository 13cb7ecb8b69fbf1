import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { CSV_COLUMNS, type CsvColumn, type CsvLine } from './entry-csv.ts';

/** A line of entries is a few hundred characters; a quote that is never closed ends here. */
const LONGEST_LINE = 20_000;
/** A header is shorter than that. */
const HEADER_BYTES = 16 * 1024;

/** A line of the file: what it holds, or what is wrong with it. `line` is where it ends. */
export type ReadLine = { line: number } & ({ ok: true; cells: CsvLine } | { ok: false; messages: string[] });

/** The header is wrong: nothing can be read. */
export class WrongHeader extends Error {
  readonly messages: string[];

  constructor(messages: string[]) {
    super('the header of the file is wrong');
    this.messages = messages;
  }
}

/**
 * Reads a CSV file as it comes in, by the names in its header; commas or semicolons separate. Throws WrongHeader.
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const { head, rest } = await splitHead(file);
  const broken: ReadLine[] = [];
  const parser = parse({
    bom: true,
    delimiter: separatorOf(head),
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: LONGEST_LINE,
    skip_records_with_error: true,
    on_skip: (error) => {
      broken.push({
        ok: false,
        line: lineOf(error),
        messages: [`is not CSV: ${error?.message ?? 'broken'}`],
      });
      return undefined;
    },
  });
  const source = Readable.from(joined(head, rest));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let columns: CsvColumn[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      yield* broken.splice(0);
      if (columns === null) columns = columnsOf(record);
      else yield readLine(columns, record, info.lines);
    }
    yield* broken.splice(0);
    if (columns === null) throw new WrongHeader(['The file has no header.']);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function readLine(columns: readonly CsvColumn[], record: readonly string[], line: number): ReadLine {
  if (record.length > columns.length) {
    const messages = [`has ${record.length} cells for ${columns.length} columns`];
    return { ok: false, line, messages };
  }
  // What a decoder puts where bytes are no UTF-8.
  if (record.some((cell) => cell.includes('\uFFFD'))) {
    return { ok: false, line, messages: ['has letters that are not UTF-8; save the file as UTF-8'] };
  }
  const cells = Object.fromEntries(columns.map((name, place) => [name, record[place] ?? '']));
  return { ok: true, line, cells };
}

function columnsOf(header: readonly string[]): CsvColumn[] {
  const messages: string[] = [];
  const columns = header.flatMap((title) => {
    const name = CSV_COLUMNS.find((known) => known.toLowerCase() === title.trim().toLowerCase());
    if (name === undefined) messages.push(`“${title}” is no column; columns are ${CSV_COLUMNS.join(', ')}`);
    return name ?? [];
  });
  for (const name of new Set(columns.filter((title, place) => columns.indexOf(title) !== place))) {
    messages.push(`${name}: the column is there twice`);
  }
  for (const name of ['plate', 'reason'] as const) {
    if (!columns.includes(name)) messages.push(`${name}: the column is missing`);
  }
  if (messages.length > 0) throw new WrongHeader(messages);
  return columns;
}

/** Semicolons, where the header has more of them than commas. */
function separatorOf(head: Uint8Array): ',' | ';' {
  const [header = ''] = Buffer.from(head)
    .toString()
    .split(/[\r\n]/);
  const count = (sign: string) => header.split(sign).length;
  return count(';') > count(',') ? ';' : ',';
}

async function splitHead(file: AsyncIterable<Uint8Array>) {
  const rest = file[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < HEADER_BYTES && !head.includes(10) && !head.includes(13)) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, rest };
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function lineOf(error: CsvError | undefined): number {
  const line: unknown = error?.['lines'];
  return typeof line === 'number' && line > 0 ? line : 1;
}
