import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { calendarDayText } from './calendar-day.ts';
import { CalendarDayField } from './calendar-day-field.tsx';
import { PlaceNote } from './place-note.tsx';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

/** The days that count as holidays. */
export function HolidaysFields({
  holidays,
  place,
  onChange,
}: {
  holidays: readonly string[];
  place: string;
  onChange: (holidays: string[] | undefined) => void;
}) {
  const [day, setDay] = useState('12-24');
  const add = () => onChange([...new Set([...holidays, day])].toSorted());
  return (
    <TariffSection title={EDITOR.holidays} hint={EDITOR.holidaysHint}>
      <PlaceNote place={place} />
      <ul className="holiday-list">
        {holidays.map((holiday) => (
          <li key={holiday}>
            {calendarDayText(holiday)}
            <Button
              look="quiet"
              aria-label={EDITOR.remove({ name: calendarDayText(holiday) })}
              onPress={() => onChange(holidays.filter((one) => one !== holiday))}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <div className="row">
        <CalendarDayField label={EDITOR.holiday} name={`${place}.new`} value={day} onChange={setDay} />
        <div className="field">
          <Button onPress={add}>{EDITOR.addHoliday}</Button>
        </div>
      </div>
    </TariffSection>
  );
}
