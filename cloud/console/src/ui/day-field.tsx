import type { ComponentProps } from 'react';
import { WallField } from './wall-field.tsx';
import { dayText, parseDay, WALL_WORDS } from './wall-text.ts';

interface DayFieldProps
  extends Pick<
    ComponentProps<typeof WallField>,
    'label' | 'hint' | 'name' | 'isRequired' | 'calendar' | 'onChange'
  > {
  /** `YYYY-MM-DD`; empty: there is none. */
  value: string;
  /** A day that is typed without a year is in the year of this one. */
  today: string;
}

/** A day, typed as the language of the page writes it. */
export function DayField({ value, today, ...field }: DayFieldProps) {
  return (
    <WallField
      {...field}
      placeholder={WALL_WORDS.day}
      shown={value === '' ? '' : dayText(value)}
      read={(typed) => parseDay(typed, today)}
      mistake={WALL_WORDS.noDay}
    />
  );
}
