import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { millis } from '@hlid/protocol/base/utc-time';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import { FILE_WORDS } from './file-words.ts';
import { siteWallClock } from './site-wall-clock.ts';
import type { VisitFileColumn } from './visit-file-column-names.ts';
import type { VisitFileRow } from './visit-file-store.ts';

const WIDTHS: Readonly<Record<VisitFileColumn, number>> = {
  site: 20,
  plate: 12,
  startedOn: 17,
  endedOn: 17,
  stay: 9,
  status: 16,
  paymentStatus: 22,
  stayPrice: 11,
  due: 11,
  invoiceNumber: 14,
  invoiced: 17,
  invoiceStatus: 15,
  currency: 12,
  category: 10,
  customer: 28,
  flags: 30,
  id: 38,
};

export function visitFilePlan(language: OfficeLanguage, columns: readonly VisitFileColumn[]): SheetPlan {
  const { sheet, headers } = FILE_WORDS[language].visits;
  return { name: sheet, columns: columns.map((name) => ({ header: headers[name], width: WIDTHS[name] })) };
}

/** Makes rows of the file from visits, with times on the clock of the site. */
export function visitFileCells(
  language: OfficeLanguage,
  columns: readonly VisitFileColumn[],
): (row: VisitFileRow) => SheetCell[] {
  const words = FILE_WORDS[language].visits;
  const states = STATUS_WORDS[language];
  const wallClock = siteWallClock();
  return (row) => {
    const { startedAt, endedAt, invoice } = row;
    const moment = (at: string): SheetCell => ({
      kind: 'moment',
      wallMs: wallClock(at, row.timeZone ?? 'UTC'),
    });
    const cells: Record<VisitFileColumn, SheetCell> = {
      site: row.site,
      plate: row.plate,
      startedOn: moment(startedAt),
      endedOn: endedAt === null ? null : moment(endedAt),
      stay: endedAt === null ? null : { kind: 'duration', ms: millis(endedAt) - millis(startedAt) },
      status: states.visit[row.status],
      paymentStatus: settledText(language, row),
      stayPrice: money(row.priceMinor, row.currency),
      due: money(row.dueMinor, row.currency),
      invoiceNumber: invoice?.number == null ? null : { kind: 'count', count: invoice.number },
      invoiced: invoice === null ? null : money(row.invoicedMinor, invoice.currency),
      invoiceStatus: invoice === null ? null : states.invoice[invoice.status],
      currency: row.currency ?? invoice?.currency ?? null,
      category: words.category[row.category ?? 'light'],
      customer: row.customer,
      flags:
        row.flags.length === 0 ? null : row.flags.map((flag) => CODE_WORDS[language].flag[flag]).join(', '),
      id: row.id,
    };
    return columns.map((name) => cells[name]);
  };
}

/** The paid amounts, by the way in which the money came in, as far as an invoice names it. */
function settledText(language: OfficeLanguage, { paymentStatus, invoice }: VisitFileRow): string | null {
  if (paymentStatus === null) return null;
  const words = { ...CODE_WORDS[language].paymentWay, 'company-invoice': null, 'owner-invoice': null };
  const way = paymentStatus === 'kiosk' && invoice !== null ? words[invoice.paymentType] : null;
  return way ?? STATUS_WORDS[language].settlement[paymentStatus];
}

function money(amountMinor: number | null, currency: string | null): SheetCell {
  return amountMinor === null || currency === null ? null : { kind: 'money', amountMinor, currency };
}
