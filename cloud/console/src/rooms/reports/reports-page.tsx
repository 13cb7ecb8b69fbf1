import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Page } from '../../ui/page.tsx';
import { periodOf } from '../../ui/period.ts';
import { PeriodField } from '../../ui/period-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CamerasTab } from './cameras-tab.tsx';
import type { DaySpan } from './compared-period.ts';
import { DevicesTab } from './devices-tab.tsx';
import { IncomeTab } from './income-tab.tsx';
import { OccupancyTab } from './occupancy-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PermitsTab } from './permits-tab.tsx';
import { ArchivedChoice } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { TrafficTab } from './traffic-tab.tsx';
import { VisitsTab } from './visits-tab.tsx';
import '../../ui/plain-table.css';
import './reports.css';

/** How sites are doing, and what that is made of: income, visits, hours, cars inside, cameras, devices and permits. */
export function ReportsPage() {
  const session = useSession();
  const timeZone = useTimeZone();
  const { filters, setFilters } = useFilters();
  const { day } = siteWall(new Date(), timeZone);
  // The overview begins with whole days that have a week before them: today is not over.
  const isOverview = (filters['tab'] ?? 'overview') === 'overview';
  const usual = isOverview ? periodOf('week', dayAfter(day, -1)) : periodOf('days30', day);
  const { from = usual.from, to = usual.to } = filters;
  const span = { from, to };
  const show = (content: (span: DaySpan) => React.ReactNode) => () =>
    from <= to ? (
      content(span)
    ) : (
      <Empty title={REPORT.noPeriod}>
        <p>{REPORT.noPeriodHint}</p>
      </Empty>
    );
  const tabs = [
    { id: 'overview', title: REPORT.tabs.overview, content: show((one) => <OverviewTab span={one} />) },
    ...(can(session, 'see-income')
      ? [{ id: 'income', title: REPORT.tabs.income, content: show((one) => <IncomeTab span={one} />) }]
      : []),
    ...(can(session, 'see-traffic')
      ? [
          { id: 'visits', title: REPORT.tabs.visits, content: show((one) => <VisitsTab span={one} />) },
          { id: 'hours', title: REPORT.tabs.hours, content: show((one) => <TrafficTab span={one} />) },
          {
            id: 'occupancy',
            title: REPORT.tabs.occupancy,
            content: show((one) => <OccupancyTab span={one} />),
          },
          { id: 'cameras', title: REPORT.tabs.cameras, content: show((one) => <CamerasTab span={one} />) },
          { id: 'devices', title: REPORT.tabs.devices, content: show((one) => <DevicesTab span={one} />) },
          { id: 'permits', title: REPORT.tabs.permits, content: show((one) => <PermitsTab span={one} />) },
        ]
      : []),
  ];
  return (
    <Page
      title={REPORT.title}
      filters={
        <>
          <PeriodField from={from} to={to} timeZone={timeZone} onChange={(period) => setFilters(period)} />
          <ArchivedChoice />
        </>
      }
    >
      <Tabs label={REPORT.title} tabs={tabs} />
    </Page>
  );
}
