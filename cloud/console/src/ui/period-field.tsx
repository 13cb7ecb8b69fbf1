import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useId } from 'react';
import { wordsOf } from '../words/words.ts';
import { DayField } from './day-field.tsx';
import { type PeriodName, periodOf } from './period.ts';
import { OWN_ZONE } from './time.tsx';

const WORDS = wordsOf('periodField');
const NAMES: readonly PeriodName[] = ['today', 'yesterday', 'week', 'days30', 'month', 'lastMonth'];

/** A day of a site's clock, as `YYYY-MM-DD`; empty: none. */
export function DateField({
  label,
  value,
  onChange,
  min,
  max,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
}) {
  return (
    <DayField
      label={label}
      value={value}
      today={siteWall(new Date(), OWN_ZONE).day}
      onChange={onChange}
      calendar={{ day: value, min: min || undefined, max: max || undefined, onChoose: onChange }}
    />
  );
}

/** A field for a period of days, both included, with the usual periods to choose from. */
export function PeriodField({
  from,
  to,
  timeZone,
  onChange,
}: {
  from: string;
  to: string;
  timeZone: string;
  onChange: (period: { from: string; to: string }) => void;
}) {
  const id = useId();
  const { day } = siteWall(new Date(), timeZone);
  const named = NAMES.find((name) => {
    const period = periodOf(name, day);
    return period.from === from && period.to === to;
  });
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{WORDS.choose}</label>
        <select
          id={id}
          value={named ?? (from || to ? 'own' : '')}
          onChange={({ target }) => {
            const name = NAMES.find((one) => one === target.value);
            if (name) onChange(periodOf(name, day));
            else if (target.value === '') onChange({ from: '', to: '' });
          }}
        >
          <option value="">–</option>
          {NAMES.map((name) => (
            <option key={name} value={name}>
              {WORDS.names[name]}
            </option>
          ))}
          <option value="own">{WORDS.own}</option>
        </select>
      </div>
      <DateField
        label={WORDS.from}
        value={from}
        max={to}
        onChange={(first) => onChange({ from: first, to })}
      />
      <DateField label={WORDS.to} value={to} min={from} onChange={(last) => onChange({ from, to: last })} />
    </>
  );
}
