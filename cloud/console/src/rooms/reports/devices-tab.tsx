import type { DeviceOutages } from '@hlid/cloud/integration/reports/device-report';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { deviceName } from '@hlid/protocol/words/codes/device-name';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { useSiteId } from '../../shell/site.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { CODES } from '../../words/codes.ts';
import { BarChart } from './bar-chart.tsx';
import type { DaySpan } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { overviewApi } from './overview-tab.tsx';
import { useReportSites } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { countText, minutesText, spanText } from './span-text.ts';

/** More bars have no room for their names. */
const MAX_BARS = 20;

/** How often and how long devices were down. */
export function DevicesTab({ span }: { span: DaySpan }) {
  const site = useReportSites();
  const ofOneSite = useSiteId() !== null;
  const query = { 'date.from': span.from, 'date.to': span.to, ...site };
  const { data, error, refetch } = useQuery({
    // Each change of a device changes it.
    queryKey: ['devices', 'report', query],
    queryFn: () => read(overviewApi.reports.devices.$get({ query })),
    staleTime: MINUTE_MS,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={10} />;
  const { total, devices } = data;
  if (devices.length === 0) {
    return (
      <Empty title={REPORT.noFaults({ span: spanText(span) })}>
        <p>{REPORT.noFaultsHint}</p>
      </Empty>
    );
  }
  const title = REPORT.devicesTitle({ span: spanText(span) });
  return (
    <>
      <p className="sentence">
        {REPORT.devicesDown({
          down: minutesText(total.downMinutes),
          faults: REPORT.faultCount({ count: total.faults }),
          devices: REPORT.deviceCount({ count: total.devices }),
          span: spanText(span),
        })}
      </p>
      <div className="row-acts">
        <FileButtons report="devices" span={span} names={REPORT.deviceFiles} />
        <CopyLink />
      </div>
      <BarChart
        title={title}
        format={minutesText}
        legend={{ now: REPORT.deviceColumns.down }}
        bars={devices.slice(0, MAX_BARS).map((device) => ({
          key: keyOf(device),
          label: nameOf(device),
          value: device.downMinutes,
          before: null,
          text: `${nameOf(device)}: ${minutesText(device.downMinutes)}`,
        }))}
      />
      <div className="card report-table">
        <table className="plain-table">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{REPORT.device}</th>
              {!ofOneSite && <th scope="col">{REPORT.site}</th>}
              <th scope="col" className="number">
                {REPORT.deviceColumns.faults}
              </th>
              <th scope="col" className="number">
                {REPORT.deviceColumns.down}
              </th>
              <th scope="col">{REPORT.deviceColumns.state}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => (
              <tr key={keyOf(device)}>
                <th scope="row">{nameOf(device)}</th>
                {!ofOneSite && <td>{device.site}</td>}
                <td className="number">{countText(device.faults)}</td>
                <td className="number">{minutesText(device.downMinutes)}</td>
                <td>{device.state === null ? REPORT.removed : CODES.deviceState[device.state]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet-text">{REPORT.deviceHint}</p>
    </>
  );
}

function nameOf({ kind, id, name }: DeviceOutages): string {
  return deviceName(CODES, kind, name ?? id);
}

function keyOf({ siteId, kind, id }: DeviceOutages): string {
  return [siteId, kind, id].join(' ');
}
