import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ScanDb } from '../../platform/db/scan-job.ts';
import { type CsvSeparator, csvFile } from '../../platform/http/csv-file.ts';
import type { SheetCell } from '../../platform/http/sheet-cell.ts';
import type { VisitFilters } from '../../stays/visits/list/visit-filters.ts';
import { FILE_COLUMNS, type VisitFileColumn } from './visit-file-column-names.ts';
import { visitFileCells, visitFilePlan } from './visit-file-columns.ts';
import { type FilePlace, type VisitFilePage, type VisitFileRow, visitFileRows } from './visit-file-store.ts';
import { xlsxFile } from './xlsx-file.ts';

const PAGE_ROWS = 1000;

export interface VisitFileQuestion {
  /** Null: the caller has no visits. */
  filters: VisitFilters | null;
  language: OfficeLanguage;
  /** Cars inside are priced until then. */
  now: UtcTime;
  /** Absent: all. */
  columns?: readonly VisitFileColumn[] | undefined;
  format: { kind: 'xlsx' } | { kind: 'csv'; separator: CsvSeparator };
}

/** The visits of a period as a file, oldest first, in pieces as they are ready. */
export async function* scanVisitFile(
  db: ScanDb,
  { filters, language, now, format, columns = FILE_COLUMNS }: VisitFileQuestion,
): AsyncGenerator<Uint8Array> {
  const plan = visitFilePlan(language, columns);
  const pages = filters === null ? nothing() : pagesOf(db, filters, visitFileCells(language, columns), now);
  if (format.kind === 'xlsx') yield* xlsxFile(plan, pages);
  else yield* csvFile(plan, pages, format.separator);
}

/** Page by page, each on the newest state: when a visit started stays as it is, so that each comes once. */
async function* pagesOf(
  db: ScanDb,
  filters: VisitFilters,
  cellsOf: (row: VisitFileRow) => SheetCell[],
  now: UtcTime,
): AsyncGenerator<SheetCell[][]> {
  let after: FilePlace | null = null;
  for (;;) {
    const from: FilePlace | null = after;
    const page: VisitFilePage = await db.read((q) => visitFileRows(q, filters, from, PAGE_ROWS, now));
    const { rows, place } = page;
    if (rows.length > 0) yield rows.map(cellsOf);
    if (place === null) return;
    after = place;
  }
}

async function* nothing(): AsyncGenerator<SheetCell[][]> {}
