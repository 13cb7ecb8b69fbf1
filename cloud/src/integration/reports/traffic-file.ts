import { WEEKDAYS } from '@hlid/protocol/base/mistakes/weekdays';
import { type CsvSeparator, csvFile } from './csv-file.ts';
import type { SheetCell, SheetPlan } from './sheet-cell.ts';
import type { TrafficReport } from './traffic-report.ts';
import type { FileLanguage } from './visit-file-words.ts';
import { xlsxFile } from './xlsx-file.ts';

const WORDS: Record<FileLanguage, { sheet: string; headers: readonly string[] }> = {
  is: {
    sheet: 'Umferð',
    headers: ['Vikudagur', 'Frá kl.', 'Inn', 'Út', 'Inn á klst.', 'Út á klst.', 'Bílar inni'],
  },
  en: {
    sheet: 'Traffic',
    headers: ['Weekday', 'From', 'In', 'Out', 'In per hour', 'Out per hour', 'Cars inside'],
  },
};
const WIDTHS = [14, 8, 9, 9, 12, 12, 12];

/** The hours of the week as a spreadsheet, one in each row. */
export async function* trafficFile(
  { hours }: TrafficReport,
  language: FileLanguage,
  format: { kind: 'xlsx' } | { kind: 'csv'; separator: CsvSeparator },
): AsyncGenerator<Uint8Array> {
  const { sheet, headers } = WORDS[language];
  const plan: SheetPlan = {
    name: sheet,
    columns: headers.map((header, at) => ({ header, width: WIDTHS[at] ?? 12 })),
  };
  const rows = hours.map((one): SheetCell[] => [
    WEEKDAYS[language][one.weekday - 1] ?? null,
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
