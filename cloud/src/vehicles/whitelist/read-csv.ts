import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { shortName } from '@hlid/protocol/base/mistakes/input-mistakes';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type CsvError, parse } from 'csv-parse';
import { CSV_COLUMNS, type CsvColumn, type CsvLine } from './entry-csv.ts';

/** An entry with all that it may have is shorter, and so is a header; a quote that is never closed ends here. */
const MAX_RECORD = 8000;
/** The most bytes between two line ends; a letter may take several. */
const MAX_LINE_BYTES = 4 * MAX_RECORD;
/** The parser makes rows of a whole piece before anything else gets a turn: hundreds of short lines take milliseconds. */
const PIECE_BYTES = 512;
const MAX_HEADER_MISTAKES = 20;

/** A line of the file: what it holds, or what is wrong with it. `line` is where it ends. */
export type ReadLine = { line: number } & ({ ok: true; cells: CsvLine } | UnreadLine);
/** `last`: it ended the reading. */
type UnreadLine = { ok: false; mistakes: Mistake[]; last?: true };

/** The header is wrong: nothing can be read. */
export class WrongHeader extends Error {
  readonly mistakes: Mistake[];

  constructor(mistakes: Mistake[]) {
    super('the header of the file is wrong');
    this.mistakes = mistakes;
  }
}

/**
 * Reads a CSV file as it comes in, by the names in its header; commas or semicolons separate. Throws WrongHeader.
 */
export async function* readCsv(file: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const lines = new LineGuard();
  const { head, rest } = await splitHead(lines.pieces(file));
  const broken: ReadLine[] = [];
  const options = {
    bom: true,
    delimiter: separatorOf(head),
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    // Otherwise it takes many pieces at a time.
    writableHighWaterMark: 1,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      broken.push({
        ok: false,
        line: lineOf(error),
        mistakes: [CSV_MISTAKES[error?.code ?? ''] ?? mistake('csv-broken')],
      });
      return undefined;
    },
  };
  const parser = parse(options);
  const source = Readable.from(joined(head, rest), { highWaterMark: 1 });
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
    if (columns === null) throw new WrongHeader([mistake('no-header')]);
    if (lines.tooLong !== null)
      yield { ok: false, line: lines.tooLong, mistakes: [LINE_TOO_LONG], last: true };
  } finally {
    source.destroy();
    parser.destroy();
  }
}

const CSV_MISTAKES: Readonly<Record<string, Mistake>> = {
  CSV_MAX_RECORD_SIZE: mistake('csv-line-too-long', [], { max: MAX_RECORD }),
  CSV_QUOTE_NOT_CLOSED: mistake('csv-quote-open'),
  INVALID_OPENING_QUOTE: mistake('csv-quote-within'),
  CSV_INVALID_CLOSING_QUOTE: mistake('csv-after-quote'),
};
const LINE_TOO_LONG = mistake('line-too-long', [], { bytes: MAX_LINE_BYTES });

/** Cuts a file into small pieces, gives others a turn after each, and ends it where a line is too long. */
class LineGuard {
  /** The number of that line; null: there was none. */
  tooLong: number | null = null;
  #line = 1;
  #bytes = 0;

  async *pieces(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of file) {
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        const piece = chunk.subarray(from, from + PIECE_BYTES);
        this.#count(piece);
        if (this.#bytes > MAX_LINE_BYTES) {
          this.tooLong = this.#line;
          return;
        }
        yield piece;
        await setImmediate();
      }
    }
  }

  #count(piece: Uint8Array): void {
    let end = -1;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) {
      this.#line++;
      end = at;
    }
    this.#bytes = end === -1 ? this.#bytes + piece.length : piece.length - 1 - end;
  }
}

const LINE_FEED = 10;

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function readLine(columns: readonly CsvColumn[], record: readonly string[], line: number): ReadLine {
  if (record.length > columns.length) {
    const counts = { cells: record.length, columns: columns.length };
    return { ok: false, line, mistakes: [mistake('too-many-cells', [], counts)] };
  }
  // The character that a decoder puts in place of bytes that are no UTF-8.
  if (record.some((cell) => cell.includes('\uFFFD'))) {
    return { ok: false, line, mistakes: [mistake('not-utf8')] };
  }
  const cells = Object.fromEntries(columns.map((name, place) => [name, record[place] ?? '']));
  return { ok: true, line, cells };
}

function columnsOf(header: readonly string[]): CsvColumn[] {
  const mistakes: Mistake[] = [];
  const columns = header.flatMap((title) => {
    const name = CSV_COLUMNS.find((known) => known.toLowerCase() === title.trim().toLowerCase());
    if (name === undefined && mistakes.length < MAX_HEADER_MISTAKES) {
      mistakes.push(mistake('unknown-column', [], { title: shortName(title), columns: [...CSV_COLUMNS] }));
    }
    return name ?? [];
  });
  for (const name of new Set(columns.filter((title, place) => columns.indexOf(title) !== place))) {
    mistakes.push(mistake('column-twice', name));
  }
  for (const name of ['plate', 'reason'] as const) {
    if (!columns.includes(name)) mistakes.push(mistake('column-missing', name));
  }
  if (mistakes.length > 0) throw new WrongHeader(mistakes);
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
  while (head.length < MAX_LINE_BYTES && !head.includes(10) && !head.includes(13)) {
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
