import { DataTable } from '../../ui/data-table.tsx';
import { percentText } from './review-numbers.ts';
import { QUALITY } from './review-words.ts';

interface Hour {
  hour: number;
  reviewed: number;
  misread: number;
}

const WIDTH = 24;
const HEIGHT = 100;
const MARKS = [0, 6, 12, 18, 24];

/** The rate of misreads by the hour of the day: as a sentence, as bars, and as a table. */
export function HoursChart({ title, hours }: { title: string; hours: readonly Hour[] }) {
  const sorted = [...hours].sort((one, other) => one.hour - other.hour);
  const worst = sorted.reduce<Hour | null>(
    (found, one) => (rateOf(one) > (found === null ? 0 : rateOf(found)) ? one : found),
    null,
  );
  const sentence =
    worst === null
      ? QUALITY.noneMisread
      : QUALITY.worst({
          rate: percentText(rateOf(worst)),
          from: hourText(worst.hour),
          to: hourText(worst.hour + 1),
        });
  const top = worst === null ? 1 : rateOf(worst);
  return (
    <section className="card form" aria-label={title}>
      <h3>{title}</h3>
      <p>{sentence}</p>
      <svg className="hours" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{`${title}. ${sentence}`}</title>
        {sorted.map((one) => (
          <g key={one.hour}>
            <rect className="seen" x={one.hour + 0.1} width={0.8} y={HEIGHT - 1} height={1} />
            <rect
              x={one.hour + 0.1}
              width={0.8}
              y={HEIGHT - (HEIGHT * rateOf(one)) / top}
              height={(HEIGHT * rateOf(one)) / top}
            />
          </g>
        ))}
      </svg>
      <p className="hour-marks" aria-hidden="true">
        {MARKS.map((hour) => (
          <span key={hour}>{hourText(hour)}</span>
        ))}
      </p>
      <DataTable
        label={title}
        rows={sorted}
        idOf={({ hour }) => String(hour)}
        columns={[
          {
            id: 'hour',
            title: QUALITY.hour,
            isWide: true,
            cell: ({ hour }) => `${hourText(hour)}–${hourText(hour + 1)}`,
          },
          { id: 'rate', title: QUALITY.rate, isNumber: true, cell: (one) => percentText(rateOf(one)) },
          { id: 'misread', title: QUALITY.misread, isNumber: true, cell: ({ misread }) => misread },
          { id: 'reviewed', title: QUALITY.reviewed, isNumber: true, cell: ({ reviewed }) => reviewed },
        ]}
      />
    </section>
  );
}

/** The share of reviewed pictures with a plate that the camera read wrongly. */
export function rateOf({ reviewed, misread }: Pick<Hour, 'reviewed' | 'misread'>): number {
  return reviewed === 0 ? 0 : misread / reviewed;
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
