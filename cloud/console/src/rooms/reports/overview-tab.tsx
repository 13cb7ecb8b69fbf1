import type { Overview, OverviewSpan, StayFigures } from '@hlid/cloud/integration/reports/overview-report';
import type { overviewRoutes } from '@hlid/cloud/integration/reports/overview-routes';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../calls/api.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { moneyText } from '../../ui/money.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { BarChart } from './bar-chart.tsx';
import { type DaySpan, usualSplit } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { CurrencyField } from './currency-field.tsx';
import { FileButtons } from './file-buttons.tsx';
import { useReportSites } from './report-sites.tsx';
import { changeText, type ReportRow, ReportTable } from './report-table.tsx';
import { REPORT } from './report-words.ts';
import {
  carsText,
  countText,
  minutesText,
  percentText,
  periodLabel,
  shortDay,
  spanText,
} from './span-text.ts';

export const overviewApi = apiOf<typeof overviewRoutes>(LONG_TIMEOUT_MS);

const SPLITS = ['day', 'week', 'month'] as const;
const COMPARED = ['week', 'month', 'year'] as const;
type Compared = (typeof COMPARED)[number];

/** A number of the overview: how it is taken from a span or a period of it, and how it is written. */
interface Measure {
  id: keyof typeof REPORT.figures;
  of: (part: Part | null | undefined) => number | null;
  format: (value: number) => string;
  /** It is in percent, and differs by points. */
  isShare?: boolean;
}

type Part = Pick<OverviewSpan, 'income' | 'stays'>;

/** How sites are doing: each number beside the same days before, and the chosen one as a chart. */
export function OverviewTab({ span }: { span: DaySpan }) {
  const { filters, setFilters } = useFilters();
  const site = useReportSites();
  const by = SPLITS.find((one) => one === filters['by']) ?? usualSplit(span);
  const query = { 'date.from': span.from, 'date.to': span.to, by, ...site };
  const { data, error, refetch } = useQuery({
    // Each visit and invoice changes it.
    queryKey: ['visits', 'overview', query],
    queryFn: () => read(overviewApi.reports.overview.$get({ query })),
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={12} />;
  const compared = COMPARED.filter((one) => data.before[one] !== null);
  const against = compared.find((one) => one === filters['against']) ?? compared[0] ?? null;
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={REPORT.by}
          value={by}
          choices={SPLITS.map((one) => [one, REPORT.splits[one]] as const)}
          onChange={(value) => setFilters({ by: value })}
        />
        {against !== null && compared.length > 1 && (
          <ChoiceField
            label={REPORT.against}
            value={against}
            choices={compared.map((one) => [one, REPORT.spansBefore[one]] as const)}
            onChange={(value) => setFilters({ against: value === compared[0] ? null : value })}
          />
        )}
      </FoldedFilters>
      {isEmpty(data.now) ? (
        <Empty title={REPORT.nothingHappened({ span: spanText(span) })}>
          <p>{REPORT.nothingHappenedHint}</p>
        </Empty>
      ) : (
        <Figures overview={data} against={against} span={span} />
      )}
    </>
  );
}

function isEmpty({ income, stays }: Part): boolean {
  const nothingCame =
    income === null || income.every(({ amount, invoices }) => amount === 0 && invoices === 0);
  const nobodyCame = stays === null || (stays.arrivals === 0 && stays.departures === 0 && !stays.inside);
  return nothingCame && nobodyCame;
}

function measuresOf({ income, stays }: Part, currency: string): Measure[] {
  const money = (amountMinor: number) => moneyText({ amountMinor, currency });
  const ofStays =
    (pick: (stays: StayFigures) => number | null): Measure['of'] =>
    (part) =>
      part?.stays ? pick(part.stays) : null;
  const percent = (value: number) => percentText(value / 100);
  const whole = (value: number) => countText(Math.round(value));
  return [
    ...(income === null
      ? []
      : [
          {
            id: 'income' as const,
            of: (part: Part | null | undefined) =>
              part?.income ? (part.income.find((one) => one.currency === currency)?.amount ?? 0) : null,
            format: money,
          },
        ]),
    ...(stays === null
      ? []
      : ([
          { id: 'arrivals', of: ofStays(({ arrivals }) => arrivals), format: whole },
          { id: 'inside', of: ofStays(({ inside }) => inside), format: carsText },
          { id: 'stay', of: ofStays(({ stayMinutes }) => stayMinutes), format: minutesText },
          {
            id: 'automatic',
            of: ofStays(({ automatic, arrivals }) => share(automatic, arrivals)),
            format: percent,
            isShare: true,
          },
          {
            id: 'doubtful',
            of: ofStays(({ doubtfulExits, exits }) => share(doubtfulExits, exits)),
            format: percent,
            isShare: true,
          },
          {
            id: 'permits',
            of: ofStays(({ permitStays, arrivals }) => share(permitStays, arrivals)),
            format: percent,
            isShare: true,
          },
          { id: 'faults', of: ofStays(({ deviceFaults }) => deviceFaults), format: whole },
          { id: 'down', of: ofStays(({ deviceDownMinutes }) => deviceDownMinutes), format: minutesText },
        ] satisfies Measure[])),
  ];
}

/** The share in percent; null: the whole is 0. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

interface Shown {
  overview: Overview;
  against: Compared | null;
  span: DaySpan;
}

function Figures({ overview, against, span }: Shown) {
  const { filters, setFilters } = useFilters();
  const { now, devices } = overview;
  const { day } = siteWall(new Date(), useTimeZone());
  const currencies = now.income?.map(({ currency }) => currency) ?? [];
  const currency = currencies.find((one) => one === filters['currency']) ?? currencies[0] ?? 'ISK';
  const measures = measuresOf(now, currency);
  const shown = measures.find(({ id }) => id === filters['show']) ?? measures[0];
  const other = against === null ? null : overview.before[against];
  if (shown === undefined) return null;
  return (
    <>
      <p className="sentence">{sentenceOf(overview, measures, against, span)}</p>
      {span.to >= day && <p className="quiet-text">{REPORT.todayNotOver}</p>}
      {devices && devices.devices > 0 && (
        <p className="quiet-text">
          {devices.failing === 0
            ? REPORT.allDevices({ devices: countText(devices.devices) })
            : REPORT.failingDevices({
                failing: countText(devices.failing),
                devices: countText(devices.devices),
              })}
        </p>
      )}
      <div className="row-acts">
        <FileButtons report="overview" span={span} by={overview.by} names={REPORT.overviewFiles} />
        <CopyLink />
      </div>
      <FiguresTable overview={overview} measures={measures} against={against} />
      <FoldedFilters>
        <ChoiceField
          label={REPORT.measure}
          value={shown.id}
          choices={measures.map(({ id }) => [id, REPORT.figures[id]] as const)}
          onChange={(id) => setFilters({ show: id === measures[0]?.id ? null : id })}
        />
        <CurrencyField
          currencies={currencies}
          value={currency}
          onChange={(one) => setFilters({ currency: one })}
        />
      </FoldedFilters>
      <MeasureChart {...{ overview, other, measure: shown, span }} />
      <Payments now={now} other={other} currency={currency} />
      <p className="quiet-text">{REPORT.overviewHint}</p>
    </>
  );
}

/** Every number of the span, and of the same days before. */
function FiguresTable({
  overview,
  measures,
  against,
}: {
  overview: Overview;
  measures: readonly Measure[];
  against: Compared | null;
}) {
  const compared = COMPARED.filter((one) => overview.before[one] !== null);
  // Narrow screens have room for one of them.
  const className = (one: Compared) => (one === against ? 'number' : 'number wide-only');
  return (
    <div className="card report-table">
      <table className="plain-table figures">
        <caption>{REPORT.figuresTitle}</caption>
        <thead>
          <tr>
            <th scope="col">{REPORT.figure}</th>
            <th scope="col" className="number">
              {REPORT.legendNow}
            </th>
            {compared.map((one) => (
              <th key={one} scope="col" className={className(one)}>
                {REPORT.spansBefore[one]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => {
            const { id, of, format } = measure;
            const value = of(overview.now);
            return (
              <tr key={id}>
                <th scope="row">{REPORT.figures[id]}</th>
                <td className="number">
                  <strong>{value === null ? '–' : format(value)}</strong>
                </td>
                {compared.map((one) => {
                  const before = of(overview.before[one]);
                  return (
                    <td key={one} className={className(one)}>
                      {before === null ? '–' : format(before)}
                      <small>{differenceText(measure, value, before)}</small>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function differenceText({ isShare }: Measure, value: number | null, before: number | null): string {
  if (value === null || before === null) return '';
  if (isShare !== true) return changeText(value, before);
  const points = Math.round((value - before) * 10) / 10;
  const sign = points > 0 ? '+' : points < 0 ? '−' : '';
  return REPORT.points({ points: `${sign}${carsText(Math.abs(points))}` });
}

/** One number by period beside those of the same days before, and its table. */
function MeasureChart({
  overview: { now, by },
  other,
  measure: { id, of, format },
  span,
}: {
  overview: Overview;
  other: OverviewSpan | null;
  measure: Measure;
  span: DaySpan;
}) {
  const table = useRef<HTMLDivElement>(null);
  useShortcut('t', REPORT.toTable, () => table.current?.focus());
  const title = REPORT.figureOf({ figure: REPORT.figures[id], span: spanText(span) });
  const rows = now.periods.map((period, place): ReportRow => {
    const before = other?.periods[place];
    return {
      key: period.from,
      name: periodLabel(by, period),
      count: period.stays?.arrivals ?? 0,
      value: of(period) ?? 0,
      before: before === undefined ? null : of(before),
    };
  });
  return (
    <>
      <BarChart
        title={title}
        format={format}
        legend={{ now: REPORT.legendNow, ...(other !== null && { before: spanText(other) }) }}
        bars={rows.map(({ key, name, value, before }) => ({
          key,
          label: by === 'day' ? shortDay(key) : name,
          value,
          before,
          text:
            before === null
              ? `${name}: ${format(value)}`
              : REPORT.was({ text: name, now: format(value), before: format(before) }),
        }))}
      />
      <div ref={table} tabIndex={-1} className="report-tables">
        <ReportTable
          title={REPORT.period}
          names={{ count: REPORT.figures.arrivals, value: REPORT.figures[id] }}
          rows={rows}
          format={format}
        />
      </div>
    </>
  );
}

function Payments({
  now,
  other,
  currency,
}: {
  now: OverviewSpan;
  other: OverviewSpan | null;
  currency: string;
}) {
  if (now.payments === null) return null;
  const of = (span: OverviewSpan | null, place: number) =>
    span?.payments?.[place]?.amounts.find((one) => one.currency === currency);
  const rows = now.payments.map(({ paymentType }, place) => ({
    key: paymentType,
    name: REPORT.types[paymentType],
    count: of(now, place)?.invoices ?? 0,
    value: of(now, place)?.amount ?? 0,
    before: of(other, place)?.amount ?? null,
  }));
  return (
    <ReportTable
      title={REPORT.byType}
      names={{ count: REPORT.invoices, value: REPORT.income }}
      rows={rows}
      format={(amountMinor) => moneyText({ amountMinor, currency })}
    />
  );
}

/** Income and arrivals in a sentence, and how they changed. */
function sentenceOf(
  { now, before }: Overview,
  measures: readonly Measure[],
  against: Compared | null,
  span: DaySpan,
): string {
  const other = against === null ? null : before[against];
  const parts = measures
    .filter(({ id }) => id === 'income' || id === 'arrivals')
    .map(({ id, of, format }) => {
      const [value, was] = [of(now) ?? 0, of(other)];
      const change = changeText(value, was);
      const text = `${REPORT.figures[id]}: ${format(value)}`;
      return change === '' ? text : `${text} (${change})`;
    });
  const compared =
    other === null ? '' : ` ${REPORT.comparedWith({ span: spanText({ from: other.from, to: other.to }) })}`;
  return `${REPORT.inSpan({ span: spanText(span), figures: parts.join('; ') })}${compared}`;
}
