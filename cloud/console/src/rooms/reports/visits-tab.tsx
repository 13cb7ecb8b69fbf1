import type { VisitStats } from '@hlid/cloud/integration/reports/visit-stats';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { STATUS } from '../../words/codes.ts';
import { type DaySpan, periodBefore } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { reportApi } from './income-tab.tsx';
import { useReportSites } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { countText, percentText, spanText } from './span-text.ts';

function useStats({ from, to }: DaySpan) {
  const site = useReportSites();
  const query = { 'date.from': from, 'date.to': to, ...site };
  return useQuery({
    // Counting goes through all visits of the period: events do not start it again.
    queryKey: ['report', 'visits', query],
    queryFn: () => read(reportApi.reports.visits.stats.$get({ query })),
    staleTime: MINUTE_MS,
  });
}

/** How many visits began in a period, of what kind they were, and all of them as a file. */
export function VisitsTab({ span }: { span: DaySpan }) {
  const spanBefore = periodBefore(span);
  const now = useStats(span);
  const before = useStats(spanBefore);
  if (now.error && !now.data) return <Failed error={now.error} retry={() => void now.refetch()} />;
  if (!now.data) return <Loading lines={10} />;
  const counted = REPORT.visitCount({ count: countText(now.data.total), span: spanText(span) });
  const compared = before.data
    ? REPORT.visitBefore({ count: countText(before.data.total), span: spanText(spanBefore) })
    : '';
  return (
    <>
      <p className="sentence">
        {counted} {compared}
      </p>
      <div className="row-acts">
        <FileButtons report="visits" span={span} names={REPORT.visitFiles} />
        <CopyLink />
      </div>
      <div className="report-parts">
        {partsOf(now.data, before.data).map((part) => (
          <Shares key={part.title} total={now.data.total} {...part} />
        ))}
      </div>
    </>
  );
}

interface Part {
  title: string;
  rows: { name: string; count: number; before: number | null }[];
}

function partsOf(now: VisitStats, before: VisitStats | undefined): Part[] {
  const row = (name: string, count: number, other: { count: number } | undefined) => ({
    name,
    count,
    before: other?.count ?? null,
  });
  return [
    {
      title: REPORT.status,
      rows: now.statuses.map(({ status, count }, place) =>
        row(STATUS.visit[status], count, before?.statuses[place]),
      ),
    },
    {
      title: REPORT.settled,
      rows: now.paymentStatuses.map(({ paymentStatus, count }, place) =>
        row(
          paymentStatus === null ? REPORT.notSettled : STATUS.settlement[paymentStatus],
          count,
          before?.paymentStatuses[place],
        ),
      ),
    },
    {
      title: REPORT.vehicle,
      rows: now.categories.map(({ category, count }, place) =>
        row(REPORT.categories[category], count, before?.categories[place]),
      ),
    },
  ];
}

/** A table with shares that are also bars. */
function Shares({ title, rows, total }: Part & { total: number }) {
  return (
    <div className="card report-table">
      <table className="plain-table">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="number">
              {REPORT.count}
            </th>
            <th scope="col" className="number">
              {REPORT.before}
            </th>
            <th scope="col">{REPORT.share}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, before }) => {
            const share = total === 0 ? 0 : count / total;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{countText(count)}</td>
                <td className="number">{before === null ? '' : countText(before)}</td>
                <td className="share">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect className="now" width={share * 100} height="8" />
                  </svg>
                  <span>{percentText(share)}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
