import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type CsvSeparator, csvFile } from '../../platform/http/csv-file.ts';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import type { PlanLine } from '../../records/books/bookkeeping-plan-table.ts';
import type { BookkeepingPlans } from './bookkeeping-plan.ts';
import type { Entry, Leg } from './entry.ts';
import { entryText } from './entry-words.ts';

/** What files name beside the entries. */
export interface FileFrame {
  plans: BookkeepingPlans;
  language: OfficeLanguage;
  /** The codes of sites. */
  codes: ReadonlyMap<string, string>;
  /** The address of a page of the console. */
  linkTo: (siteId: string | null, path: string) => string;
}

/** The columns, which programs read: their names and order do not change. */
export const BOOK_COLUMNS = [
  'date',
  'entry',
  'kind',
  'document',
  'credits',
  'account',
  'role',
  'debit',
  'credit',
  'currency',
  'vat_category',
  'vat_rate',
  'vat_code',
  'site',
  'text',
  'link',
] as const;

const PLAN: SheetPlan = {
  name: 'bookkeeping',
  columns: BOOK_COLUMNS.map((header) => ({ header, width: header.length })),
};

/** Entries as CSV: a row for each leg; the rows of an entry have its number and add up to nothing. */
export async function* entryFile(
  pages: AsyncIterable<readonly Entry[]>,
  frame: FileFrame,
  separator: CsvSeparator,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  const rows = async function* () {
    for await (const page of pages) {
      yield page.flatMap((entry) => {
        count++;
        return rowsOf(entry, count, frame, separator);
      });
    }
  };
  yield* csvFile(PLAN, rows(), separator);
}

function rowsOf(
  entry: Entry,
  count: number,
  { plans, language, codes, linkTo }: FileFrame,
  separator: CsvSeparator,
): SheetCell[][] {
  const { siteId, path } = entry;
  const text = entryText(entry, language);
  const link = linkTo(siteId, path);
  return entry.legs.map((leg) => {
    const line = plans.lineFor(siteId, leg.use);
    if (line === null) throw new Error('an account was taken away while the file was made');
    const { date, rest } = legCells(entry, leg, line, separator);
    const site = siteId === null ? null : (codes.get(siteId) ?? null);
    return [date, { kind: 'count', count }, ...rest, site, text, link];
  });
}

/** The cells of a leg on its account, but for the number of its entry, its site, its text and its link. */
export function legCells(
  { day, kind, number, creditOf, currency }: Omit<Entry, 'legs'>,
  { use, amountMinor, vat }: Leg,
  { account, vatCode }: Pick<PlanLine, 'account' | 'vatCode'>,
  separator: CsvSeparator,
): { date: SheetCell; rest: SheetCell[] } {
  const money = (amount: number): SheetCell =>
    amount > 0 ? { kind: 'money', amountMinor: amount, currency } : null;
  const rate = vat === null ? null : String(vat.rate).replace('.', separator === ';' ? ',' : '.');
  return {
    date: code(day),
    rest: [
      code(kind),
      number,
      creditOf,
      code(account),
      code(use.role),
      money(amountMinor),
      money(0 - amountMinor),
      code(currency),
      vat?.category == null ? null : code(vat.category),
      rate === null ? null : code(rate),
      vatCode === null ? null : code(vatCode),
    ],
  };
}

function code(text: string): SheetCell {
  return { kind: 'code', code: text };
}
