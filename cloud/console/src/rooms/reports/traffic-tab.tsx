import type { TrafficReport } from '@hlid/cloud/integration/reports/traffic-report';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { weekdayNames } from '@hlid/protocol/base/weekdays/weekday-name';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { WEEKDAYS } from '../../words/codes.ts';
import type { DaySpan } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { reportApi } from './income-tab.tsx';
import { useReportSites } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { averageText, countText, spanText } from './span-text.ts';

const MEASURES = ['arrivalsPerHour', 'departuresPerHour', 'inside'] as const;
type Measure = (typeof MEASURES)[number];
type Hour = TrafficReport['hours'][number];

/** How many cars come, leave and are inside by the hour of the week. */
export function TrafficTab({ span }: { span: DaySpan }) {
  const { from, to } = span;
  const { filters, setFilters } = useFilters();
  const site = useReportSites();
  const query = { 'date.from': from, 'date.to': to, ...site };
  const { data, error, refetch } = useQuery({
    queryKey: ['report', 'traffic', query],
    queryFn: () => read(reportApi.reports.traffic.$get({ query })),
    staleTime: MINUTE_MS,
  });
  const measure = MEASURES.find((one) => one === filters['show']) ?? MEASURES[0];
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={12} />;
  if (data.hours.every((hour) => hour.inside === null)) {
    return (
      <Empty title={REPORT.noTraffic({ span: spanText(span) })}>
        <p>{REPORT.noTrafficHint}</p>
      </Empty>
    );
  }
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={REPORT.measure}
          value={measure}
          choices={MEASURES.map((one) => [one, REPORT.measures[one]] as const)}
          onChange={(value) => setFilters({ show: value === MEASURES[0] ? null : value })}
        />
      </FoldedFilters>
      <p className="sentence">{sentenceOf(data, measure, span)}</p>
      <div className="row-acts">
        <FileButtons report="traffic" span={span} names={REPORT.trafficFiles} />
        <CopyLink />
      </div>
      <HeatTable
        title={REPORT.heat[measure]({ span: spanText(span) })}
        hours={data.hours}
        measure={measure}
      />
      <p className="quiet-text">{REPORT.trafficHint}</p>
    </>
  );
}

const LEVELS = 5;
const DAY_HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A table with an hour in each row and a weekday in each column; the more cars, the stronger the ground of a cell. */
function HeatTable({ title, hours, measure }: { title: string; hours: readonly Hour[]; measure: Measure }) {
  const values = hours.flatMap((hour) => hour[measure] ?? []);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const level = (value: number) =>
    most === least ? 0 : Math.ceil(((value - least) / (most - least)) * LEVELS);
  return (
    <div className="card report-table">
      <table className="heat">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{REPORT.hour}</th>
            {weekdayNames(WEEKDAYS.short).map((short, weekday) => (
              <th key={short} scope="col" abbr={weekdayNames(WEEKDAYS.long)[weekday]}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAY_HOURS.map((hour) => (
            <tr key={hour}>
              <th scope="row">{clock(hour)}</th>
              {weekdayNames(WEEKDAYS.short).map((short, weekday) => {
                const value = hours[weekday * 24 + hour]?.[measure] ?? null;
                if (value === null) return <td key={short} aria-label={REPORT.noHour} />;
                const isMost = value === most && most > 0;
                return (
                  <td key={short} className={`heat-${level(value)}${isMost ? ' most' : ''}`}>
                    {averageText(value, most)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** When there are most cars, and how many came and left. */
function sentenceOf({ total, hours }: TrafficReport, measure: Measure, span: DaySpan): string {
  const most = hours.reduce((one, other) => ((other[measure] ?? 0) > (one[measure] ?? 0) ? other : one));
  const value = most[measure] ?? 0;
  const counts = REPORT.came({
    arrivals: countText(total.arrivals),
    departures: countText(total.departures),
    span: spanText(span),
  });
  if (value === 0) return counts;
  const peak = REPORT.peak[measure]({
    day: REPORT.onWeekdays.split(' ')[most.weekday - 1] ?? '',
    from: clock(most.hour),
    to: clock((most.hour + 1) % 24),
    cars: averageText(value, value),
  });
  return `${peak} ${counts}`;
}
