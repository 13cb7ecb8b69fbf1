import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { formatRate } from '@hlid/protocol/base/money';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { deviceName } from '@hlid/protocol/words/codes/device-name';
import { AGES } from '../../books/bookkeeping/receivable.ts';
import { type CsvSeparator, csvFile } from '../../platform/http/csv-file.ts';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import type { CameraReport } from './camera-report.ts';
import type { DeviceReport } from './device-report.ts';
import { FILE_WORDS } from './file-words.ts';
import type { IncomeReport } from './income-report.ts';
import type { OccupancyHours } from './occupancy-report.ts';
import type { Overview } from './overview-report.ts';
import type { PermitReport } from './permit-report.ts';
import type { Owed, Receivables } from './receivables-report.ts';
import { siteWallClock } from './site-wall-clock.ts';
import { xlsxFile } from './xlsx-file.ts';

export type FileFormat = { kind: 'xlsx' } | { kind: 'csv'; separator: CsvSeparator };

const count = (number: number): SheetCell => ({ kind: 'count', count: number });
const average = (number: number | null): SheetCell =>
  number === null ? null : { kind: 'average', average: number };

/** The periods of an overview, one in each row, with the income of each currency. */
export function overviewFile({ now }: Overview, language: OfficeLanguage, format: FileFormat) {
  const { sheet, headers, income } = FILE_WORDS[language].overview;
  const currencies = now.income?.map(({ currency }) => currency) ?? [];
  const columns = [...Object.values(headers), ...currencies.map((currency) => `${income} (${currency})`)];
  const rows = now.periods.map(({ from, to, stays, income: amounts }) => [
    from,
    to,
    ...(stays === null
      ? Array<SheetCell>(Object.keys(headers).length - 2).fill(null)
      : [
          count(stays.arrivals),
          count(stays.departures),
          average(stays.inside),
          average(stays.stayMinutes),
          count(stays.automatic),
          count(stays.permitStays),
          count(stays.exits),
          count(stays.doubtfulExits),
          count(stays.deviceFaults),
          count(stays.deviceDownMinutes),
        ]),
    ...currencies.map((currency): SheetCell => {
      const amount = amounts?.find((one) => one.currency === currency)?.amount ?? 0;
      return { kind: 'money', amountMinor: amount, currency };
    }),
  ]);
  return tableFile({ name: sheet, headers: columns }, rows, format);
}

/** Each period and currency in a row, then the whole span, its VAT by category and rate, and its products. */
export function incomeFile(
  { from, to, total: { amounts, periods }, vatReport, productReport }: IncomeReport,
  language: OfficeLanguage,
  format: FileFormat,
) {
  const { sheet, headers, total, product } = FILE_WORDS[language].income;
  const rows = [...periods, { from, to, name: total, amounts }].flatMap((period) =>
    period.amounts.map(({ currency, amount, invoices, tips }): SheetCell[] => [
      period.from,
      period.to,
      period.name,
      currency,
      { kind: 'money', amountMinor: amount, currency },
      count(invoices),
      { kind: 'money', amountMinor: tips, currency },
      null,
      null,
    ]),
  );
  const vatRows = vatReport.map(({ currency, category, rate, net, vat }): SheetCell[] => [
    from,
    to,
    `${headers.vat} ${category ?? '–'} ${formatRate(rate, language)}`,
    currency,
    { kind: 'money', amountMinor: net + vat, currency },
    null,
    null,
    { kind: 'money', amountMinor: net, currency },
    { kind: 'money', amountMinor: vat, currency },
  ]);
  const productRows = productReport.map(({ name, currency, amount, invoices }): SheetCell[] => [
    from,
    to,
    `${product} ${name?.[language] ?? Object.values(name ?? {})[0] ?? '–'}`,
    currency,
    { kind: 'money', amountMinor: amount, currency },
    count(invoices),
    null,
    null,
    null,
  ]);
  const all = [...rows, ...vatRows, ...productRows];
  return tableFile({ name: sheet, headers: Object.values(headers) }, all, format);
}

/** Each hour of a site and each of its zones in a row. */
export function occupancyFile(
  { timeZone, zones, hours }: OccupancyHours,
  language: OfficeLanguage,
  format: FileFormat,
) {
  const { sheet, headers, site } = FILE_WORDS[language].occupancy;
  const wall = siteWallClock();
  const rows = hours.flatMap((hour) =>
    [hour.site, ...hour.zones].map((counts, at): SheetCell[] => [
      { kind: 'moment', wallMs: wall(hour.from, timeZone) },
      at === 0 ? site : (zones[at - 1]?.name ?? ''),
      count(counts.arrivals),
      count(counts.departures),
      average(counts.inside),
      count(counts.most),
    ]),
  );
  return tableFile({ name: sheet, headers: Object.values(headers) }, rows, format);
}

/** Each camera and hour of the day in a row. */
export function cameraFile({ cameras }: CameraReport, language: OfficeLanguage, format: FileFormat) {
  const { sheet, headers } = FILE_WORDS[language].cameras;
  const rows = cameras.flatMap(({ name, remoteId, laneId, hours }) =>
    hours.map((counts, hour): SheetCell[] => [
      name ?? remoteId,
      laneId,
      `${String(hour).padStart(2, '0')}:00`,
      count(counts.reads),
      count(counts.unread),
      count(counts.corrected),
      count(counts.judged),
      count(counts.matched),
    ]),
  );
  return tableFile({ name: sheet, headers: Object.values(headers) }, rows, format);
}

/** Each device in a row, the one that was down longest first. */
export function deviceFile({ devices }: DeviceReport, language: OfficeLanguage, format: FileFormat) {
  const { sheet, headers } = FILE_WORDS[language].devices;
  const { deviceState } = CODE_WORDS[language];
  const rows = devices.map(({ site, kind, id, name, state, faults, downMinutes }): SheetCell[] => [
    site,
    deviceName(CODE_WORDS[language], kind, name ?? id),
    state === null ? null : deviceState[state],
    count(faults),
    count(downMinutes),
  ]);
  return tableFile({ name: sheet, headers: Object.values(headers) }, rows, format);
}

/** Each permit in a row, the one with the most stays first, and after them those without. */
export function permitFile({ permits, unused }: PermitReport, language: OfficeLanguage, format: FileFormat) {
  const { sheet, headers } = FILE_WORDS[language].permits;
  const none = { stays: 0, stayMinutes: 0 };
  const all = [...permits, ...unused.map((permit) => ({ ...permit, ...none }))];
  const rows = all.map(({ plate, reason, customer, stays, stayMinutes, lastMonth }): SheetCell[] => [
    plate,
    reason,
    customer?.name ?? null,
    count(stays),
    count(stayMinutes),
    lastMonth,
  ]);
  return tableFile({ name: sheet, headers: Object.values(headers) }, rows, format);
}

/** Each customer or owner and site in a row, with a column for each age. */
export function receivablesFile(
  receivables: Receivables['rows'],
  language: OfficeLanguage,
  format: FileFormat,
) {
  const { sheet, headers, ages } = FILE_WORDS[language].receivables;
  const columns = [
    headers.name,
    headers.ssn,
    headers.site,
    headers.invoices,
    headers.oldestDueOn,
    headers.currency,
    headers.total,
    ...AGES.map((age) => ages[age]),
  ];
  const rows = receivables.map((row): SheetCell[] => {
    const money = (amountMinor: number): SheetCell => ({
      kind: 'money',
      amountMinor,
      currency: row.currency,
    });
    const { name, ssn, site, invoices, oldestDueOn, currency, total } = row;
    const who = [name, ssn, site?.name ?? null, count(invoices), oldestDueOn, currency];
    return [...who, money(total), ...AGES.map((age) => money(row.ages[age]))];
  });
  return tableFile({ name: sheet, headers: columns }, rows, format);
}

/** Each invoice and site in a row. */
export function owedInvoicesFile(owed: readonly Owed[], language: OfficeLanguage, format: FileFormat) {
  const { sheet, headers, ages } = FILE_WORDS[language].receivables;
  const columns = [
    headers.number,
    headers.name,
    headers.ssn,
    headers.site,
    headers.issuedOn,
    headers.dueOn,
    headers.daysLate,
    headers.age,
    headers.currency,
    headers.amount,
    headers.open,
  ];
  const rows = owed.map((one): SheetCell[] => [
    one.number === null ? null : count(one.number),
    one.name,
    one.ssn,
    one.site?.name ?? null,
    one.issuedOn,
    one.dueOn,
    count(one.daysLate),
    ages[one.age],
    one.currency,
    { kind: 'money', amountMinor: one.amount, currency: one.currency },
    { kind: 'money', amountMinor: one.open, currency: one.currency },
  ]);
  return tableFile({ name: sheet, headers: columns }, rows, format);
}

export function tableFile(
  sheet: { name: string; headers: readonly string[] },
  rows: readonly SheetCell[][],
  format: FileFormat,
): AsyncGenerator<Uint8Array> {
  const pages = (async function* () {
    yield rows;
  })();
  return tablePages(sheet, pages, format);
}

/** A table whose rows come page by page. */
export function tablePages(
  { name, headers }: { name: string; headers: readonly string[] },
  pages: AsyncIterable<readonly SheetCell[][]>,
  format: FileFormat,
): AsyncGenerator<Uint8Array> {
  const columns = headers.map((header) => ({ header, width: Math.max(12, header.length + 2) }));
  const plan: SheetPlan = { name, columns };
  return format.kind === 'xlsx' ? xlsxFile(plan, pages) : csvFile(plan, pages, format.separator);
}
