import { DAY_MINUTES } from '@hlid/protocol/base/durations';
import { useState } from 'react';
import { ChoiceField } from '../../../ui/field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import type { Typed } from './tariff-draft.ts';
import { EDITOR } from './tariff-words.ts';

const UNITS = ['minutes', 'hours', 'days'] as const;
type Unit = (typeof UNITS)[number];
const MINUTES_OF: Readonly<Record<Unit, number>> = { minutes: 1, hours: 60, days: DAY_MINUTES };

/** A field for a length of time in minutes, which is typed in minutes, hours or days. */
export function LengthField({
  label,
  name,
  hint,
  value,
  onChange,
}: {
  label: string;
  name: string;
  hint?: string;
  value: Typed | undefined;
  onChange: (minutes: Typed) => void;
}) {
  const [chosen, setUnit] = useState<Unit | null>(null);
  const fits = (unit: Unit) => typeof value === 'number' && value % MINUTES_OF[unit] === 0;
  const unit = chosen ?? (fits('days') ? 'days' : fits('hours') ? 'hours' : 'minutes');
  return (
    <div className="length-field">
      <NumberField
        label={label}
        name={name}
        hint={hint}
        minValue={1 / MINUTES_OF[unit]}
        digits={unit === 'minutes' ? 0 : 2}
        isRequired
        value={typeof value === 'number' ? value / MINUTES_OF[unit] : Number.NaN}
        onChange={(number) => onChange(Number.isNaN(number) ? null : Math.round(number * MINUTES_OF[unit]))}
      />
      <ChoiceField
        label={EDITOR.unitOf({ field: label })}
        value={unit}
        choices={UNITS.map((one) => [one, EDITOR.units[one]] as const)}
        onChange={(next) => {
          setUnit(next);
          if (typeof value === 'number') onChange(Math.round((value / MINUTES_OF[unit]) * MINUTES_OF[next]));
        }}
      />
    </div>
  );
}
