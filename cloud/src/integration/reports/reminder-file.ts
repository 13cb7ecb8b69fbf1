import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ListedReminder } from '../../books/reminders/reminder.ts';
import type { SheetCell } from '../../platform/http/sheet-cell.ts';
import { FILE_WORDS } from './file-words.ts';
import { type FileFormat, tablePages } from './report-files.ts';

/** Each reminder in a row, newest first, with the next step of its invoice. */
export function reminderFile(
  pages: AsyncIterable<readonly ListedReminder[]>,
  language: OfficeLanguage,
  { format, timeZone }: { format: FileFormat; timeZone: string },
) {
  const { sheet, headers } = FILE_WORDS[language].reminders;
  const dayOf = (at: string | null) => (at === null ? null : wallClock(at as UtcTime, timeZone).date);
  const rows = (async function* () {
    for await (const page of pages) yield page.map((row) => cellsOf(row, language, dayOf));
  })();
  return tablePages({ name: sheet, headers: Object.values(headers) }, rows, format);
}

function cellsOf(
  row: ListedReminder,
  language: OfficeLanguage,
  dayOf: (at: string | null) => string | null,
): SheetCell[] {
  const { steps, states, stopped, collector } = FILE_WORDS[language].reminders;
  const { currency, next, collectableOn, chargeInvoice } = row;
  const money = (amountMinor: number): SheetCell => ({ kind: 'money', amountMinor, currency });
  const number = (one: number | null | undefined): SheetCell =>
    one == null ? null : { kind: 'count', count: one };
  return [
    number(row.invoiceNumber),
    row.payerName ?? row.customer?.name ?? null,
    steps[row.step],
    dayOf(row.writtenOn),
    states[row.state],
    dayOf(row.deliveredOn),
    money(row.open),
    money(row.charge),
    currency,
    number(chargeInvoice?.number),
    next === null ? collectableOn && collector : steps[next.step],
    next?.on ?? collectableOn,
    row.stopped === null ? null : stopped[row.stopped],
  ];
}
