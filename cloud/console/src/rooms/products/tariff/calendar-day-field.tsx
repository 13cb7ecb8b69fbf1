import { useState } from 'react';
import { TextField } from '../../../ui/field.tsx';
import { calendarDayText, parseCalendarDay } from './calendar-day.ts';
import { EDITOR } from './tariff-words.ts';

/** A field for a day of every year (`24.12.`), or of one year (`24.12.2026`). */
export function CalendarDayField({
  label,
  name,
  value,
  onChange,
}: {
  label: string;
  name: string;
  /** Empty: no day is typed. */
  value: string;
  onChange: (day: string) => void;
}) {
  const [typed, setTyped] = useState(() => calendarDayText(value));
  const day = parseCalendarDay(typed);
  // A value that is not the typed one was set elsewhere.
  const isTyped = (day ?? '') === value;
  const shown = isTyped ? typed : calendarDayText(value);
  return (
    <TextField
      label={label}
      name={name}
      isRequired
      autoComplete="off"
      value={shown}
      mistake={isTyped && typed !== '' && day === null ? EDITOR.noDay : undefined}
      hint={EDITOR.dayHint}
      onChange={(text) => {
        setTyped(text);
        onChange(parseCalendarDay(text) ?? '');
      }}
    />
  );
}
