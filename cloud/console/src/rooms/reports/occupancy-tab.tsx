import type { OccupancyHours, OccupancyReport } from '@hlid/cloud/integration/reports/occupancy-report';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { dateText, siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { useSiteId, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { BarChart } from './bar-chart.tsx';
import type { DaySpan } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { overviewApi } from './overview-tab.tsx';
import { REPORT } from './report-words.ts';
import { carsText, countText, shortDay, spanText } from './span-text.ts';

const MEASURES = ['inside', 'arrivals', 'departures', 'most'] as const;
type Measure = (typeof MEASURES)[number];
/** More hours are days: bars have to stay wide enough to read. */
const MAX_HOURS = 72;

/** How full a site and its zones were at a moment, and in each hour of some days. */
export function OccupancyTab({ span }: { span: DaySpan }) {
  const siteId = useSiteId();
  if (siteId === null) {
    return (
      <Empty title={REPORT.chooseSite}>
        <p>{REPORT.chooseSiteHint}</p>
      </Empty>
    );
  }
  return (
    <>
      <Moment siteId={siteId} />
      <Hours siteId={siteId} span={span} />
    </>
  );
}

function Moment({ siteId }: { siteId: string }) {
  const { filters, setFilters } = useFilters();
  const at = filters['at'];
  const query = { siteId, ...(at !== undefined && { at }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['visits', 'occupancy', query],
    queryFn: () => read(overviewApi.reports.occupancy.$get({ query })),
  });
  const timeZone = useTimeZone();
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={4} />;
  return (
    <>
      <FoldedFilters>
        <MomentField
          label={REPORT.moment}
          value={at ?? null}
          timeZone={timeZone}
          onChange={(moment) => setFilters({ at: moment })}
        />
      </FoldedFilters>
      <p className="sentence">{insideText(data, timeZone)}</p>
      <MomentTable report={data} />
    </>
  );
}

function insideText({ at, inside, capacity }: OccupancyReport, timeZone: string): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  const when = `${dateText(day, LANGUAGE)} ${day.slice(0, 4)} ${time}`;
  const cars = countText(inside);
  return capacity === null
    ? REPORT.insideThen({ when, cars })
    : REPORT.insideOf({ when, cars, capacity: countText(capacity) });
}

function MomentTable({ report: { inside, capacity, zones } }: { report: OccupancyReport }) {
  const rows = [{ id: '', name: REPORT.wholeSite, inside, capacity }, ...zones];
  return (
    <div className="card report-table">
      <table className="plain-table">
        <caption>{REPORT.insideByZone}</caption>
        <thead>
          <tr>
            <th scope="col">{REPORT.zone}</th>
            <th scope="col" className="number">
              {REPORT.occupancy.inside}
            </th>
            <th scope="col" className="number">
              {REPORT.capacity}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              <td className="number">{countText(row.inside)}</td>
              <td className="number">{row.capacity === null ? '–' : countText(row.capacity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Hours({ siteId, span }: { siteId: string; span: DaySpan }) {
  const { filters, setFilters } = useFilters();
  const query = { siteId, 'date.from': span.from, 'date.to': span.to };
  const { data, error, refetch } = useQuery({
    queryKey: ['report', 'occupancy', query],
    queryFn: () => read(overviewApi.reports.occupancy.hours.$get({ query })),
    staleTime: MINUTE_MS,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={8} />;
  if (data.hours.length === 0) return <Empty title={REPORT.noTraffic({ span: spanText(span) })} />;
  const measure = MEASURES.find((one) => one === filters['show']) ?? MEASURES[0];
  const zone = data.zones.findIndex(({ id }) => id === filters['zone']);
  const name = data.zones[zone]?.name ?? REPORT.wholeSite;
  const bars = barsOf(data, zone, measure);
  const title = REPORT.figureOf({ figure: `${name}, ${REPORT.occupancy[measure]}`, span: spanText(span) });
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={REPORT.measure}
          value={measure}
          choices={MEASURES.map((one) => [one, REPORT.occupancy[one]] as const)}
          onChange={(value) => setFilters({ show: value === MEASURES[0] ? null : value })}
        />
        {data.zones.length > 0 && (
          <ChoiceField
            label={REPORT.zone}
            value={data.zones[zone]?.id ?? ''}
            choices={[
              ['', REPORT.wholeSite] as const,
              ...data.zones.map((one) => [one.id, one.name] as const),
            ]}
            onChange={(id) => setFilters({ zone: id === '' ? null : id })}
          />
        )}
      </FoldedFilters>
      <div className="row-acts">
        <FileButtons report="occupancy" span={span} names={REPORT.occupancyFiles} />
        <CopyLink />
      </div>
      <BarChart
        title={title}
        format={carsText}
        legend={{ now: REPORT.legendNow }}
        bars={bars.map(({ name: when, ...bar }) => ({
          ...bar,
          before: null,
          text: `${when}: ${carsText(bar.value)}`,
        }))}
      />
      <div className="card report-table">
        <table className="plain-table">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{REPORT.hour}</th>
              <th scope="col" className="number">
                {REPORT.occupancy[measure]}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, name, value }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td className="number">{carsText(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Hours, or days where there are many: sums of movements, the average of the cars inside, and the most of them. */
function barsOf({ hours, timeZone }: OccupancyHours, zone: number, measure: Measure) {
  const byDay = hours.length > MAX_HOURS;
  const groups = new Map<string, { name: string; label: string; values: number[] }>();
  for (const hour of hours) {
    const { day, time } = siteWall(new Date(hour.from), timeZone);
    const name = byDay ? dateText(day, LANGUAGE) : `${dateText(day, LANGUAGE)} ${time}`;
    const label = byDay ? shortDay(day) : time;
    const group = groups.get(byDay ? day : hour.from) ?? { name, label, values: [] };
    group.values.push((zone < 0 ? hour.site : (hour.zones[zone] ?? hour.site))[measure]);
    groups.set(byDay ? day : hour.from, group);
  }
  return [...groups].map(([key, { name, label, values }]) => {
    const sum = values.reduce((all, one) => all + one, 0);
    const value = measure === 'most' ? Math.max(...values) : measure === 'inside' ? sum / values.length : sum;
    return { key, name, label, value };
  });
}
