import type { IncomeReport } from '@hlid/cloud/integration/reports/income-report';
import type { reportRoutes } from '@hlid/cloud/integration/reports/report-routes';
import { formatRate } from '@hlid/protocol/base/money';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../calls/api.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useAllSites } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { moneyText } from '../../ui/money.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { vatCategoryText } from '../../ui/vat-fields.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { BarChart } from './bar-chart.tsx';
import { type DaySpan, periodBefore, usualSplit } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { CurrencyField } from './currency-field.tsx';
import { FileButtons } from './file-buttons.tsx';
import { useReportSites } from './report-sites.tsx';
import { type ReportRow, ReportTable } from './report-table.tsx';
import { REPORT } from './report-words.ts';
import { countText, percentText, periodLabel, spanText } from './span-text.ts';

export const reportApi = apiOf<typeof reportRoutes>(LONG_TIMEOUT_MS);

const SPLITS = ['day', 'week', 'month'] as const;
type Split = (typeof SPLITS)[number];

function useIncome({ from, to }: DaySpan, by: Split | 'site', isWanted = true) {
  const site = useReportSites();
  const query = { 'date.from': from, 'date.to': to, by, ...site };
  return useQuery({
    // Each invoice and refund changes it.
    queryKey: ['invoices', 'income', query],
    queryFn: () => read(reportApi.reports.income.$get({ query })),
    enabled: isWanted,
  });
}

export function IncomeTab({ span }: { span: DaySpan }) {
  const { filters, setFilters } = useFilters();
  const by = SPLITS.find((one) => one === filters['by']) ?? usualSplit(span);
  const spanBefore = periodBefore(span);
  const now = useIncome(span, by);
  const before = useIncome(spanBefore, by);
  const error = now.error ?? before.error;
  if (error && !(now.data && before.data)) {
    return <Failed error={error} retry={() => void Promise.all([now.refetch(), before.refetch()])} />;
  }
  if (!now.data || !before.data) return <Loading lines={10} />;
  const currencies = now.data.total.amounts.map(({ currency }) => currency);
  const currency = currencies.find((one) => one === filters['currency']) ?? currencies[0] ?? 'ISK';
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={REPORT.by}
          value={by}
          choices={SPLITS.map((one) => [one, REPORT.splits[one]] as const)}
          onChange={(value) => setFilters({ by: value })}
        />
        <CurrencyField
          currencies={currencies}
          value={currency}
          onChange={(one) => setFilters({ currency: one })}
        />
      </FoldedFilters>
      <Income now={now.data} before={before.data} {...{ by, currency, span, spanBefore }} />
    </>
  );
}

interface Sum {
  amounts: readonly { currency: string; amount: number; invoices: number; tips: number }[];
}

interface Shown {
  now: IncomeReport;
  before: IncomeReport;
  by: Split;
  currency: string;
  span: DaySpan;
  spanBefore: DaySpan;
}

function Income(shown: Shown) {
  const { now, before, by, currency, span } = shown;
  const table = useRef<HTMLDivElement>(null);
  useShortcut('t', REPORT.toTable, () => table.current?.focus());
  const text = (amountMinor: number) => moneyText({ amountMinor, currency });
  const of = (sum: Sum | undefined) =>
    sum?.amounts.find((one) => one.currency === currency) ?? { amount: 0, invoices: 0, tips: 0 };
  const rows = (key: string, name: string, one: Sum, other: Sum | undefined): ReportRow => ({
    key,
    name,
    count: of(one).invoices,
    value: of(one).amount,
    before: other === undefined ? null : of(other).amount,
  });
  // Periods are compared by their place: the first with the first.
  const periods = now.total.periods.map((period, place) =>
    rows(period.from, periodLabel(by, period), period, before.total.periods[place]),
  );
  const types = now.paymentTypeReport.map((one, place) =>
    rows(one.paymentType, REPORT.types[one.paymentType], one, before.paymentTypeReport[place]),
  );
  const categories = now.vehicleCategoryReport.map((one, place) =>
    rows(
      one.vehicleCategory,
      REPORT.categories[one.vehicleCategory],
      one,
      before.vehicleCategoryReport[place],
    ),
  );
  const total = rows('total', REPORT.total, now.total, before.total);
  const names = { count: REPORT.invoices, value: REPORT.income };
  return (
    <>
      <p className="sentence">{sentenceOf(shown, total, text)}</p>
      {besideOf(now, currency, of(now.total).tips).map((line) => (
        <p key={line} className="quiet-text">
          {line}
        </p>
      ))}
      <BarChart
        title={REPORT.incomeOf({ span: spanText(span) })}
        format={text}
        legend={{ now: REPORT.legendNow, before: REPORT.legendBefore }}
        bars={periods.map(({ key, name, value, before }) => ({
          key,
          label: name,
          value,
          before,
          text:
            before === null
              ? `${name}: ${text(value)}`
              : REPORT.was({ text: name, now: text(value), before: text(before) }),
        }))}
      />
      <div className="row-acts">
        <FileButtons report="income" span={span} by={by} names={REPORT.incomeFiles} />
        <CopyLink />
      </div>
      <div ref={table} tabIndex={-1} className="report-tables">
        <ReportTable title={REPORT.period} names={names} rows={periods} total={total} format={text} />
        <div className="report-parts">
          <ReportTable title={REPORT.byType} names={names} rows={types} format={text} />
          <ReportTable title={REPORT.byCategory} names={names} rows={categories} format={text} />
          <ReportTable title={REPORT.byProduct} names={names} rows={productRows(shown)} format={text} />
          <ByVat {...shown} format={text} />
          <BySite {...shown} names={names} rowOf={rows} format={text} />
        </div>
      </div>
    </>
  );
}

function unnamed(productId: string | null): string {
  return productId === null ? REPORT.noProduct : REPORT.goneProduct;
}

/** The products that brought something in either period, by what they bring now. */
function productRows({ now, before, currency }: Shown): ReportRow[] {
  const of = ({ productReport }: IncomeReport) => productReport.filter((one) => one.currency === currency);
  const [present, past] = [of(now), of(before)];
  const gone = past.filter(({ productId }) => !present.some((one) => one.productId === productId));
  return [...present, ...gone.map((one) => ({ ...one, amount: 0, invoices: 0 }))].map(
    ({ productId, name, amount, invoices }) => ({
      key: productId ?? '',
      name: name?.[LANGUAGE] ?? Object.values(name ?? {})[0] ?? unnamed(productId),
      count: invoices,
      value: amount,
      before: past.find((one) => one.productId === productId)?.amount ?? 0,
    }),
  );
}

/** The VAT in the income, as invoices and receipts have it, beside that of the period before. */
function ByVat({ now, before, currency, format }: Shown & { format: (value: number) => string }) {
  const of = ({ vatReport }: IncomeReport) => vatReport.filter((row) => row.currency === currency);
  const keyOf = ({ category, rate }: IncomeReport['vatReport'][number]) => `${category} ${rate}`;
  const [present, past] = [of(now), of(before)];
  const gone = past.filter((row) => !present.some((one) => keyOf(one) === keyOf(row)));
  const rows = [...present, ...gone.map((row) => ({ ...row, net: 0, vat: 0 }))];
  if (rows.length === 0) return null;
  return (
    <div className="card report-table">
      <table className="plain-table">
        <caption>{REPORT.byVat}</caption>
        <thead>
          <tr>
            <th scope="col">{REPORT.byVat}</th>
            <th scope="col" className="number">
              {REPORT.net}
            </th>
            <th scope="col" className="number wide-only">
              {REPORT.netBefore}
            </th>
            <th scope="col" className="number">
              {REPORT.vat}
            </th>
            <th scope="col" className="number wide-only">
              {REPORT.vatBefore}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const then = past.find((one) => keyOf(one) === keyOf(row));
            return (
              <tr key={keyOf(row)}>
                <th scope="row">{vatCategoryText(row.category, formatRate(row.rate, LANGUAGE))}</th>
                <td className="number">{format(row.net)}</td>
                <td className="number wide-only">{format(then?.net ?? 0)}</td>
                <td className="number">{format(row.vat)}</td>
                <td className="number wide-only">{format(then?.vat ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The amounts that are no income, or not certain to be. */
function besideOf({ undecided }: IncomeReport, currency: string, tips: number): string[] {
  const text = (amountMinor: number) => moneyText({ amountMinor, currency });
  const open = (sums: IncomeReport['undecided']['refunds']) =>
    sums.find((one) => one.currency === currency)?.amount ?? 0;
  const [refunds, chargebacks] = [open(undecided.refunds), open(undecided.chargebacks)];
  return [
    ...(tips === 0 ? [] : [REPORT.tips({ amount: text(tips) })]),
    ...(refunds === 0 ? [] : [REPORT.openRefunds({ amount: text(refunds) })]),
    ...(chargebacks === 0 ? [] : [REPORT.openChargebacks({ amount: text(chargebacks) })]),
  ];
}

/** The income by site, shown if there are several sites to see. */
function BySite({
  span,
  spanBefore,
  rowOf,
  names,
  format,
}: Shown & {
  names: { count: string; value: string };
  rowOf: (key: string, name: string, one: Sum, other: Sum | undefined) => ReportRow;
  format: (value: number) => string;
}) {
  const sites = useAllSites();
  const site = useReportSites();
  const isWanted = sites.length > 1 && site.siteId === undefined;
  const now = useIncome(span, 'site', isWanted).data;
  const before = useIncome(spanBefore, 'site', isWanted).data;
  if (!isWanted || !now || !before) return null;
  const rows = now.total.periods.map((one) =>
    rowOf(
      one.key ?? '',
      one.name ?? REPORT.noSite,
      one,
      before.total.periods.find(({ key }) => key === one.key),
    ),
  );
  return <ReportTable title={REPORT.bySite} names={names} rows={rows} format={format} />;
}

/** The content of the chart, in a sentence or two. */
function sentenceOf(
  { span, spanBefore }: Pick<Shown, 'span' | 'spanBefore'>,
  { value, count, before }: ReportRow,
  text: (amountMinor: number) => string,
): string {
  const [now, then] = [spanText(span), spanText(spanBefore)];
  if (value === 0 && !before) return REPORT.none({ span: now });
  const sum = REPORT.sum({
    amount: text(value),
    invoices: REPORT.invoiceCount({ count }).replace(String(count), countText(count)),
    span: now,
  });
  if (!before || before < 0) return sum;
  const change = (value - before) / before;
  const percent = percentText(Math.abs(change));
  if (change === 0) return `${sum} ${REPORT.same({ span: then })}`;
  return `${sum} ${change > 0 ? REPORT.more({ percent, span: then, amount: text(before) }) : REPORT.less({ percent, span: then, amount: text(before) })}`;
}
