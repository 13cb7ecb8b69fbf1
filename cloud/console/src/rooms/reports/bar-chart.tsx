import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { scaleOf } from './bar-scale.ts';

export interface Bar {
  key: string;
  /** The text under the bar. */
  label: string;
  value: number;
  /** The value of the period before, drawn beside the bar; null: there is none. */
  before: number | null;
  /** All of it in words. */
  text: string;
}

/**
 * Bars, each beside the one of the period before. The bars are read one by one with the arrow keys, as a slider's values;
 * the table beside the chart has the same numbers.
 */
export function BarChart({
  title,
  bars,
  format,
  legend,
}: {
  title: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  /** The texts of the legend; `before` is absent where there is no earlier period. */
  legend: { now: string; before?: string };
}) {
  const captionId = useId();
  const [at, setAt] = useState<number | null>(null);
  const last = bars.length - 1;
  const chosen = at === null ? null : Math.min(at, last);
  const scale = scaleOf(bars.flatMap(({ value, before }) => [value, before ?? 0]));
  const span = scale.max - scale.min;
  const y = (value: number) => ((scale.max - value) / span) * 100;
  const onKeyDown = (event: KeyboardEvent) => {
    const from = chosen ?? 0;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, chosen === null ? 0 : to)));
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length))));
  };
  return (
    <figure className="chart" aria-labelledby={captionId}>
      <figcaption id={captionId}>
        <strong>{title}</strong>
        <span className="legend">
          <i className="now" aria-hidden="true" /> {legend.now}
          {legend.before !== undefined && (
            <>
              <i className="before" aria-hidden="true" /> {legend.before}
            </>
          )}
        </span>
      </figcaption>
      <div className="plot">
        <div className="ticks" aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ top: `${y(tick)}%` }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <div
          className="bars"
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={chosen ?? 0}
          aria-valuetext={bars[chosen ?? 0]?.text}
          onKeyDown={onKeyDown}
          onFocus={() => setAt(chosen ?? 0)}
          onPointerMove={onPointerMove}
        >
          <svg viewBox={`0 0 ${bars.length * 10} 100`} preserveAspectRatio="none" aria-hidden="true">
            {scale.ticks.map((tick) => (
              <line key={tick} x1="0" x2={bars.length * 10} y1={y(tick)} y2={y(tick)} className="grid" />
            ))}
            {bars.map(({ key, value, before }, place) => (
              <g key={key} className={place === chosen ? 'chosen' : ''}>
                <rect className="column" x={place * 10} width="10" y="0" height="100" />
                {before !== null && (
                  <rect className="before" x={place * 10 + 5} width="3.5" {...tall(before)} />
                )}
                <rect className="now" x={place * 10 + 1.5} width="3.5" {...tall(value)} />
              </g>
            ))}
          </svg>
        </div>
        <div className="labels" aria-hidden="true">
          {bars.map(({ key, label }, place) => (
            <span key={key}>{isLabelled(place, bars.length) && <i>{label}</i>}</span>
          ))}
        </div>
      </div>
      <p className="readout">{(chosen === null ? undefined : bars[chosen]?.text) ?? ' '}</p>
    </figure>
  );

  function tall(value: number): { y: number; height: number } {
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return { y: top, height: bottom - top };
  }
}

const MAX_LABELS = 8;

/** Names of bars need the room of several; on narrow screens only every second name is shown (reports.css). */
function isLabelled(place: number, count: number): boolean {
  const stride = Math.ceil(count / MAX_LABELS);
  return place % stride === 0 && (stride === 1 || place + stride / 2 < count);
}
