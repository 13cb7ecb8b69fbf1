import type { PermitReport } from '@hlid/cloud/integration/reports/permit-report';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { BarChart } from './bar-chart.tsx';
import type { DaySpan } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { overviewApi } from './overview-tab.tsx';
import { useReportSites } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { countText, monthsText } from './span-text.ts';

/** More bars have no room for their names. */
const MAX_BARS = 20;

/** How often permits were used in the months of a span. */
export function PermitsTab({ span }: { span: DaySpan }) {
  const site = useReportSites();
  const query = { 'date.from': span.from, 'date.to': span.to, ...site };
  const { data, error, refetch } = useQuery({
    queryKey: ['report', 'permits', query],
    queryFn: () => read(overviewApi.reports.permits.$get({ query })),
    staleTime: MINUTE_MS,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={10} />;
  const months = monthsText(span);
  const { permits, unused } = data;
  if (permits.length === 0 && unused.length === 0) {
    return (
      <Empty title={REPORT.noPermits({ months })}>
        <p>{REPORT.noPermitsHint}</p>
      </Empty>
    );
  }
  return (
    <>
      {permits.length === 0 && <p className="sentence">{REPORT.noPermits({ months })}.</p>}
      {permits.length > 0 && <p className="sentence">{usedText(data, months)}</p>}
      <div className="row-acts">
        <FileButtons report="permits" span={span} names={REPORT.permitFiles} />
        <CopyLink />
      </div>
      {permits.length > 0 && <UsedPermits permits={permits} months={months} />}
      <UnusedPermits report={data} months={months} />
    </>
  );
}

function usedText({ total }: PermitReport, months: string): string {
  return REPORT.permitsUsed({
    permits: countText(total.permits),
    stays: countText(total.stays),
    hours: countText(Math.round(total.stayMinutes / 60)),
    months,
  });
}

function UsedPermits({ permits, months }: Pick<PermitReport, 'permits'> & { months: string }) {
  const title = REPORT.permitsTitle({ months });
  return (
    <>
      <BarChart
        title={title}
        format={countText}
        legend={{ now: REPORT.count }}
        bars={permits.slice(0, MAX_BARS).map(({ permitId, plate, stays }) => ({
          key: permitId,
          label: plate ?? '–',
          value: stays,
          before: null,
          text: `${plate ?? '–'}: ${countText(stays)}`,
        }))}
      />
      <div className="card report-table">
        <table className="plain-table">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{REPORT.permitColumns.plate}</th>
              <th scope="col">{REPORT.permitColumns.reason}</th>
              <th scope="col" className="number">
                {REPORT.count}
              </th>
              <th scope="col" className="number">
                {REPORT.permitColumns.hours}
              </th>
              <th scope="col">{REPORT.permitColumns.last}</th>
            </tr>
          </thead>
          <tbody>
            {permits.map(({ permitId, plate, reason, stays, stayMinutes, lastMonth }) => (
              <tr key={permitId}>
                <th scope="row">{plate ?? '–'}</th>
                <td>{reason}</td>
                <td className="number">{countText(stays)}</td>
                <td className="number">{countText(Math.round(stayMinutes / 60))}</td>
                <td>{lastMonthText(lastMonth)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Permits that were valid and had no stay, by customer. */
function UnusedPermits({
  report: { unused, hasMoreUnused },
  months,
}: {
  report: PermitReport;
  months: string;
}) {
  if (unused.length === 0) return <p className="quiet-text">{REPORT.allPermitsUsed({ months })}</p>;
  return (
    <>
      <div className="card report-table">
        <table className="plain-table">
          <caption>{REPORT.unusedTitle({ months })}</caption>
          <thead>
            <tr>
              <th scope="col">{REPORT.permitColumns.customer}</th>
              <th scope="col">{REPORT.permitColumns.plate}</th>
              <th scope="col" className="wide-only">
                {REPORT.permitColumns.reason}
              </th>
              <th scope="col">{REPORT.permitColumns.last}</th>
            </tr>
          </thead>
          <tbody>
            {unused.map(({ permitId, plate, reason, customer, lastMonth }) => (
              <tr key={permitId}>
                <td>{customer === null ? REPORT.noCustomer : (customer.name ?? customer.id)}</td>
                <th scope="row">{plate}</th>
                <td className="wide-only">{reason}</td>
                <td>{lastMonth === null ? REPORT.neverUsed : lastMonthText(lastMonth)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet-text">{hasMoreUnused ? REPORT.moreUnused : REPORT.unusedHint}</p>
    </>
  );
}

function lastMonthText(month: string): string {
  return monthsText({ from: `${month}-01`, to: `${month}-01` });
}
