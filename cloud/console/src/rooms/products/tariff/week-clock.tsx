import { DAY_MINUTES } from '@hlid/protocol/base/durations';
import { weekdayNames } from '@hlid/protocol/base/weekdays/weekday-name';
import { WEEKDAYS } from '../../../words/codes.ts';
import { LANGUAGE } from '../../../words/words.ts';
import { withDefaults } from '../tariff-defaults.ts';
import type { BandDraft } from './tariff-draft.ts';
import type { WeekStretch } from './tariff-rules.ts';
import { EDITOR } from './tariff-words.ts';
import { type TariffRules, useTariffRules } from './use-tariff-rules.ts';
import './week-clock.css';

const HOURS = [0, 6, 12, 18, 24];

/** The week as rows of hours: which band counts when, and when no band does. */
export function WeekClock({ bands }: { bands: readonly BandDraft[] }) {
  const rules = useTariffRules();
  const stretches = rules && stretchesOf(bands, rules.weekStretches);
  if (stretches === null) return null;
  const nameOf = ({ band }: WeekStretch) =>
    band === null ? EDITOR.freeTime : (bands[band]?.label?.[LANGUAGE] ?? EDITOR.band({ n: band + 1 }));
  return (
    <figure className="week-clock">
      <figcaption className="quiet-text">{EDITOR.weekClock}</figcaption>
      {weekdayNames(WEEKDAYS.long).map((weekday, at) => (
        <div key={weekday} className="week-day">
          <span className="week-name">{weekday}</span>
          <ul>
            {stretches
              .filter((stretch) => stretch.weekday === at + 1)
              .map((stretch) => (
                <Stretch key={stretch.from} stretch={stretch} name={nameOf(stretch)} />
              ))}
          </ul>
        </div>
      ))}
      <div className="week-hours" aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour} style={{ insetInlineStart: `${(hour * 60 * 100) / DAY_MINUTES}%` }}>
            {hour}
          </span>
        ))}
      </div>
    </figure>
  );
}

function Stretch({ stretch: { band, from, to }, name }: { stretch: WeekStretch; name: string }) {
  const text = `${clock(from)}–${clock(to)} ${name}`;
  return (
    <li
      className={band === null ? 'no-band' : `band-${band % 6}`}
      style={{ flexGrow: to - from }}
      title={text}
    >
      <span className="unseen">{text}</span>
    </li>
  );
}

/** Null while the times of a band are not typed. */
function stretchesOf(
  bands: readonly BandDraft[],
  weekStretches: TariffRules['weekStretches'],
): WeekStretch[] | null {
  const hasTimes = bands.every(({ window }) => window?.startTime !== '' && window?.endTime !== '');
  return hasTimes ? weekStretches(withDefaults({ bands: [...bands] }).bands) : null;
}

function clock(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
