import { DownloadButton } from '../../ui/download-button.tsx';
import { LANGUAGE } from '../../words/words.ts';
import type { DaySpan } from './compared-period.ts';
import { useReportSites } from './report-sites.tsx';

/** A report of a period as files that the cloud makes. */
export function FileButtons({
  report,
  span: { from, to },
  by,
  names,
}: {
  report: 'income' | 'visits' | 'traffic' | 'overview' | 'occupancy' | 'cameras' | 'devices' | 'permits';
  span: DaySpan;
  /** How its periods are split. */
  by?: 'day' | 'week' | 'month';
  names: { xlsx: string; csv: string };
}) {
  const site = useReportSites();
  const href = (format: 'xlsx' | 'csv') => {
    const query = new URLSearchParams({
      'date.from': from,
      'date.to': to,
      format,
      language: LANGUAGE,
      ...(LANGUAGE === 'en' && format === 'csv' && { separator: ',' }),
      ...(by !== undefined && { by }),
      ...site,
    });
    return `/reports/${report}/download?${query}`;
  };
  return (
    <div className="row-acts">
      {(['xlsx', 'csv'] as const).map((format) => (
        <DownloadButton
          key={format}
          label={names[format]}
          href={href(format)}
          fileName={`${report}-${from}-${to}.${format}`}
        />
      ))}
    </div>
  );
}
