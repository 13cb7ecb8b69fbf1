import { weekdayName } from '@hlid/protocol/base/weekdays/weekday-name';
import { Button } from '../../../ui/button.tsx';
import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { TimeField } from '../../../ui/time-field.tsx';
import { WEEKDAYS } from '../../../words/codes.ts';
import { CalendarDayField } from './calendar-day-field.tsx';
import { PlaceNote } from './place-note.tsx';
import { RowList } from './row-list.tsx';
import type { WindowDraft } from './tariff-draft.ts';
import { EDITOR } from './tariff-words.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Days and hours of a week, and the dates on which they count. */
export function WindowFields({
  window,
  place,
  onChange,
}: {
  window: WindowDraft;
  place: string;
  onChange: (window: WindowDraft) => void;
}) {
  const { weekdays = EVERY_DAY, startTime = '00:00', endTime = '23:59', dates = [], holidays } = window;
  const choose = (day: number, isChosen: boolean) => {
    const chosen = EVERY_DAY.filter((one) => (one === day ? isChosen : weekdays.includes(one)));
    onChange({ ...window, weekdays: chosen.length === 7 ? undefined : chosen });
  };
  return (
    <>
      <PlaceNote place={place} />
      <fieldset className="weekday-boxes">
        <legend>{EDITOR.weekdays}</legend>
        {EVERY_DAY.map((day) => (
          <CheckField
            key={day}
            label={weekdayName(WEEKDAYS.long, day)}
            isSelected={weekdays.includes(day)}
            onChange={(isChosen) => choose(day, isChosen)}
          />
        ))}
      </fieldset>
      <PlaceNote place={`${place}.weekdays`} />
      <div className="row">
        <TimeField
          label={EDITOR.from}
          name={`${place}.startTime`}
          value={startTime}
          isRequired
          onChange={(time) => onChange({ ...window, startTime: time })}
        />
        <TimeField
          label={EDITOR.to}
          name={`${place}.endTime`}
          hint={EDITOR.windowHint}
          value={endTime}
          isRequired
          isEnd
          onChange={(time) => onChange({ ...window, endTime: time })}
        />
        <ChoiceField
          label={EDITOR.onHolidays}
          value={holidays ?? 'also'}
          choices={[
            ['also', EDITOR.holidayUse.also],
            ['only', EDITOR.holidayUse.only],
            ['never', EDITOR.holidayUse.never],
          ]}
          onChange={(use) => onChange({ ...window, holidays: use === 'also' ? undefined : use })}
        />
      </div>
      <RowList
        rows={dates}
        nameOf={(at) => EDITOR.dates({ n: at + 1 })}
        onChange={(rows) => onChange({ ...window, dates: rows.length === 0 ? undefined : rows })}
      >
        {(span, at, change) => (
          <div className="row">
            <CalendarDayField
              label={EDITOR.firstDate}
              name={`${place}.dates.${at}.from`}
              value={span.from}
              onChange={(from) => change({ ...span, from })}
            />
            <CalendarDayField
              label={EDITOR.lastDate}
              name={`${place}.dates.${at}.to`}
              value={span.to}
              onChange={(to) => change({ ...span, to })}
            />
          </div>
        )}
      </RowList>
      <div>
        <Button
          look="quiet"
          onPress={() => onChange({ ...window, dates: [...dates, { from: '06-01', to: '08-31' }] })}
        >
          {EDITOR.addDates}
        </Button>
      </div>
    </>
  );
}
