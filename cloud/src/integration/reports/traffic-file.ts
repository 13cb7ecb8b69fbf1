import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { weekdayName } from '@hlid/protocol/base/weekdays/weekday-name';
import { WEEKDAYS } from '@hlid/protocol/base/weekdays/weekdays';
import { type CsvSeparator, csvFile } from '../../platform/http/csv-file.ts';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import { FILE_WORDS } from './file-words.ts';
import type { TrafficReport } from './traffic-report.ts';
import { xlsxFile } from './xlsx-file.ts';

const WIDTHS = [14, 8, 9, 9, 12, 12, 12];

/** The hours of the week as a spreadsheet, one in each row. */
export async function* trafficFile(
  { hours }: TrafficReport,
  language: OfficeLanguage,
  format: { kind: 'xlsx' } | { kind: 'csv'; separator: CsvSeparator },
): AsyncGenerator<Uint8Array> {
  const { sheet, headers } = FILE_WORDS[language].traffic;
  const plan: SheetPlan = {
    name: sheet,
    columns: Object.values(headers).map((header, at) => ({ header, width: WIDTHS[at] ?? 12 })),
  };
  const rows = hours.map((one): SheetCell[] => [
    weekdayName(WEEKDAYS[language].long, one.weekday),
    `${String(one.hour).padStart(2, '0')}:00`,
    { kind: 'count', count: one.arrivals },
    { kind: 'count', count: one.departures },
    ...[one.arrivalsPerHour, one.departuresPerHour, one.inside].map(
      (average): SheetCell => (average === null ? null : { kind: 'average', average }),
    ),
  ]);
  const pages = (async function* () {
    yield rows;
  })();
  if (format.kind === 'xlsx') yield* xlsxFile(plan, pages);
  else yield* csvFile(plan, pages, format.separator);
}
