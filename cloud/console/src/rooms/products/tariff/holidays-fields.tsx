import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { calendarDayText } from './calendar-day.ts';
import { CalendarDayField } from './calendar-day-field.tsx';
import { CountryHolidays } from './country-holidays.tsx';
import { PlaceNote } from './place-note.tsx';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR, HOLIDAY_LIST } from './tariff-words.ts';

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
  const add = (days: readonly string[]) => onChange([...new Set([...holidays, ...days])].toSorted());
  const lastYear = holidays
    .filter((holiday) => holiday.length > 5)
    .map((holiday) => holiday.slice(0, 4))
    .toSorted()
    .at(-1);
  return (
    <TariffSection title={EDITOR.holidays} hint={EDITOR.holidaysHint}>
      <PlaceNote place={place} />
      <ul className="holiday-list">
        {holidays.map((holiday, at) => (
          <li key={holiday}>
            {calendarDayText(holiday)}
            <Button
              look="quiet"
              aria-label={EDITOR.remove({ name: calendarDayText(holiday) })}
              onPress={() => onChange(holidays.filter((one) => one !== holiday))}
            >
              ×
            </Button>
            <PlaceNote place={`${place}.${at}`} />
          </li>
        ))}
      </ul>
      {lastYear !== undefined && <p className="quiet-text">{HOLIDAY_LIST.until({ year: lastYear })}</p>}
      <div className="row">
        <CalendarDayField label={EDITOR.holiday} name={`${place}.new`} value={day} onChange={setDay} />
        <div className="field">
          <Button isDisabled={day === ''} onPress={() => add([day])}>
            {EDITOR.addHoliday}
          </Button>
        </div>
      </div>
      <CountryHolidays onAdd={add} />
    </TariffSection>
  );
}
