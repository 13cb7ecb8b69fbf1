import type { CameraCare } from '@hlid/cloud/integration/reports/camera-report';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { BarChart } from './bar-chart.tsx';
import type { DaySpan } from './compared-period.ts';
import { CopyLink } from './copy-link.tsx';
import { FileButtons } from './file-buttons.tsx';
import { overviewApi } from './overview-tab.tsx';
import { useReportSites } from './report-sites.tsx';
import { REPORT } from './report-words.ts';
import { countText, percentText, spanText } from './span-text.ts';

type Counts = CameraCare['total'];
const MEASURES = ['misread', 'match'] as const;
type Measure = (typeof MEASURES)[number];

/** How well each camera reads, by hour of the day, and which lens is to be cleaned. */
export function CamerasTab({ span }: { span: DaySpan }) {
  const { filters, setFilters } = useFilters();
  const site = useReportSites();
  const query = { 'date.from': span.from, 'date.to': span.to, ...site };
  const { data, error, refetch } = useQuery({
    queryKey: ['report', 'cameras', query],
    queryFn: () => read(overviewApi.reports.cameras.$get({ query })),
    staleTime: MINUTE_MS,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={10} />;
  const { cameras } = data;
  const shown = cameras.find((camera) => keyOf(camera) === filters['camera']) ?? cameras[0];
  if (shown === undefined) {
    return (
      <Empty title={REPORT.noReads({ span: spanText(span) })}>
        <p>{REPORT.noReadsHint}</p>
      </Empty>
    );
  }
  const measure = MEASURES.find((one) => one === filters['show']) ?? MEASURES[0];
  const dirty = cameras.filter(({ advice }) => advice === 'clean-lens');
  const title = REPORT.figureOf({
    figure: `${nameOf(shown)}, ${REPORT.cameraMeasures[measure]}`,
    span: spanText(span),
  });
  const bars = shown.hours.map((counts, hour) => {
    const label = `${String(hour).padStart(2, '0')}:00`;
    const value = shareOf(counts, measure);
    return { key: label, label, value, counts };
  });
  return (
    <>
      <p className="sentence">
        {dirty.length === 0
          ? REPORT.lensesClean({ cameras: countText(cameras.length) })
          : REPORT.lensesDirty({ cameras: dirty.map(nameOf).join(', ') })}
      </p>
      <div className="row-acts">
        <FileButtons report="cameras" span={span} names={REPORT.cameraFiles} />
        <CopyLink />
      </div>
      <CameraTable cameras={cameras} />
      <FoldedFilters>
        <ChoiceField
          label={REPORT.camera}
          value={keyOf(shown)}
          choices={cameras.map((camera) => [keyOf(camera), nameOf(camera)] as const)}
          onChange={(camera) => setFilters({ camera })}
        />
        <ChoiceField
          label={REPORT.measure}
          value={measure}
          choices={MEASURES.map((one) => [one, REPORT.cameraMeasures[one]] as const)}
          onChange={(value) => setFilters({ show: value === MEASURES[0] ? null : value })}
        />
      </FoldedFilters>
      <BarChart
        title={title}
        format={(percent) => percentText(percent / 100)}
        legend={{ now: REPORT.cameraMeasures[measure] }}
        bars={bars.map(({ counts, value, ...bar }) => ({
          ...bar,
          value: value ?? 0,
          before: null,
          text: hourText(bar.label, counts, measure),
        }))}
      />
      <div className="card report-table">
        <table className="plain-table">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{REPORT.hour}</th>
              <th scope="col" className="number">
                {REPORT.reads}
              </th>
              {MEASURES.map((one) => (
                <th key={one} scope="col" className="number">
                  {REPORT.cameraMeasures[one]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label, counts }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td className="number">{countText(counts.reads)}</td>
                {MEASURES.map((one) => (
                  <td key={one} className="number">
                    {shareText(counts, one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet-text">{REPORT.cameraHint}</p>
    </>
  );
}

function CameraTable({ cameras }: { cameras: readonly CameraCare[] }) {
  return (
    <div className="card report-table">
      <table className="plain-table">
        <caption>{REPORT.tabs.cameras}</caption>
        <thead>
          <tr>
            <th scope="col">{REPORT.camera}</th>
            <th scope="col" className="number wide-only">
              {REPORT.reads}
            </th>
            <th scope="col" className="number">
              {REPORT.cameraMeasures.misread}
            </th>
            <th scope="col" className="number wide-only">
              {REPORT.before}
            </th>
            <th scope="col" className="number">
              {REPORT.cameraMeasures.match}
            </th>
            <th scope="col" className="number wide-only">
              {REPORT.before}
            </th>
            <th scope="col">{REPORT.advice}</th>
          </tr>
        </thead>
        <tbody>
          {cameras.map((camera) => (
            <tr key={keyOf(camera)}>
              <th scope="row">{nameOf(camera)}</th>
              <td className="number wide-only">{countText(camera.total.reads)}</td>
              {MEASURES.flatMap((measure) =>
                (['total', 'before'] as const).map((when) => (
                  <td
                    key={`${measure} ${when}`}
                    className={when === 'before' ? 'number wide-only' : 'number'}
                  >
                    {shareText(camera[when], measure)}
                  </td>
                )),
              )}
              <td>{camera.advice === null ? '' : REPORT.cleanLens}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function hourText(label: string, counts: Counts, measure: Measure): string {
  return `${label}: ${shareText(counts, measure)}`;
}

function shareText(counts: Counts, measure: Measure): string {
  const share = shareOf(counts, measure);
  return share === null ? '–' : percentText(share / 100);
}

/** The share in percent; null: there was nothing to count. */
function shareOf({ reads, unread, corrected, judged, matched }: Counts, measure: Measure): number | null {
  const [part, whole] = measure === 'misread' ? [unread + corrected, reads] : [matched, judged];
  return whole === 0 ? null : (part / whole) * 100;
}

function keyOf({ siteId, laneId, remoteId }: CameraCare): string {
  return [siteId, laneId, remoteId].join(' ');
}

function nameOf({ name, remoteId }: CameraCare): string {
  return name ?? remoteId;
}
