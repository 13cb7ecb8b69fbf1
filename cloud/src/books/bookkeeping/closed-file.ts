import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type CsvSeparator, csvFile } from '../../platform/http/csv-file.ts';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import type { BookkeepingPlans } from './bookkeeping-plan.ts';
import type { ClosedEntry } from './closed-entry.ts';
import { BOOK_COLUMNS, legCells } from './entry-file.ts';
import { entryText } from './entry-words.ts';

const PLAN: SheetPlan = {
  name: 'bookkeeping',
  columns: [...BOOK_COLUMNS, 'of_day'].map((header) => ({ header, width: header.length })),
};

/**
 * Closed entries as CSV. The number of an entry is that of its day and site, so that it stays when other days are closed;
 * `of_day` is the day to which a correction belongs.
 */
export async function* closedFile(
  pages: AsyncIterable<readonly ClosedEntry[]>,
  { plans, language }: { plans: BookkeepingPlans; language: OfficeLanguage },
  separator: CsvSeparator,
): AsyncGenerator<Uint8Array> {
  const rows = async function* () {
    for await (const page of pages) {
      const counts = new Map<string | null, number>();
      yield page.flatMap((entry) => {
        const count = (counts.get(entry.code) ?? 0) + 1;
        counts.set(entry.code, count);
        const name = `${entry.day} ${entry.code ?? 'all'} ${count}`;
        return rowsOf(entry, { kind: 'code', code: name }, { plans, language }, separator);
      });
    }
  };
  yield* csvFile(PLAN, rows(), separator);
}

function rowsOf(
  entry: ClosedEntry,
  name: SheetCell,
  { plans, language }: { plans: BookkeepingPlans; language: OfficeLanguage },
  separator: CsvSeparator,
): SheetCell[][] {
  const text = entryText(entry, language);
  return entry.legs.map((leg) => {
    const line =
      leg.account === null ? plans.lineFor(entry.siteId, leg.use) : { ...leg, account: leg.account };
    if (line === null) throw new Error('an account was taken away while the file was made');
    const cells = legCells(entry, leg, line, separator);
    return [
      cells.date,
      name,
      ...cells.rest,
      entry.code,
      text,
      entry.link,
      { kind: 'code', code: entry.ofDay },
    ];
  });
}
