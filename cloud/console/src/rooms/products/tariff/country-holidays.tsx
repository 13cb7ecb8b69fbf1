import type { holidayRoutes } from '@hlid/cloud/money/holidays/holiday-routes';
import type { PublicHoliday } from '@hlid/cloud/money/holidays/public-holidays';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf, read } from '../../../calls/api.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { RefusedNotice } from '../../../ui/states.tsx';
import { LANGUAGE } from '../../../words/words.ts';
import { calendarDayText } from './calendar-day.ts';
import { HOLIDAY_LIST } from './tariff-words.ts';

const api = apiOf<typeof holidayRoutes>();
const MAX_YEARS = 10;
/** Those of a country change seldom. */
const FRESH = { staleTime: Number.POSITIVE_INFINITY };

/** The public holidays of a country, to be added to those of a tariff. */
export function CountryHolidays({ onAdd }: { onAdd: (days: readonly string[]) => void }) {
  const [country, setCountry] = useState('');
  const [region, setRegion] = useState('');
  const [first, setFirst] = useState(() => new Date().getFullYear());
  const [years, setYears] = useState(3);
  const [isOpen, setOpen] = useState(false);
  const countries = useQuery({
    queryKey: ['holidays', 'countries'],
    queryFn: () => read(api.holidays.countries.$get({ query: {} })),
    enabled: isOpen,
    ...FRESH,
  });
  if (!isOpen) {
    return (
      <div>
        <Button onPress={() => setOpen(true)}>{HOLIDAY_LIST.show}</Button>
      </div>
    );
  }
  const known = (countries.data?.data ?? []).toSorted((one, other) =>
    one.name[LANGUAGE].localeCompare(other.name[LANGUAGE], LANGUAGE),
  );
  const regions = known.find((one) => one.country === country)?.regions ?? [];
  const isRange = Number.isInteger(first) && Number.isInteger(years);
  return (
    <div className="form country-holidays">
      <div className="row">
        <ChoiceField
          label={HOLIDAY_LIST.country}
          value={country}
          choices={[
            ['', HOLIDAY_LIST.none],
            ...known.map((one) => [one.country, one.name[LANGUAGE]] as const),
          ]}
          onChange={(chosen) => {
            setCountry(chosen);
            setRegion('');
          }}
        />
        {regions.length > 0 && (
          <ChoiceField
            label={HOLIDAY_LIST.region}
            value={region}
            choices={[
              ['', HOLIDAY_LIST.wholeCountry],
              ...regions.map((one) => [one.region, one.name] as const),
            ]}
            onChange={setRegion}
          />
        )}
        <NumberField
          label={HOLIDAY_LIST.year}
          value={first}
          minValue={2000}
          maxValue={2090}
          isGrouped={false}
          onChange={setFirst}
        />
        <NumberField
          label={HOLIDAY_LIST.years}
          value={years}
          minValue={1}
          maxValue={MAX_YEARS}
          onChange={setYears}
        />
      </div>
      <RefusedNotice error={countries.error} />
      {country !== '' && isRange && (
        <HolidayChoice
          key={`${country} ${region} ${first} ${years}`}
          {...{ country, region, first, years, onAdd }}
        />
      )}
    </div>
  );
}

interface Choice {
  country: string;
  region: string;
  first: number;
  years: number;
  onAdd: (days: readonly string[]) => void;
}

/** The holidays of some years, of which some are chosen. Those of a part of a day are not chosen at first. */
function HolidayChoice({ country, region, first, years, onAdd }: Choice) {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { data, error } = useQuery({
    queryKey: ['holidays', country, region, first, years],
    queryFn: async () => {
      const asked = Array.from({ length: years }, (_, place) => {
        const query = { country, year: String(first + place), ...(region !== '' && { region }) };
        return read(api.holidays.$get({ query }));
      });
      return onceEach((await Promise.all(asked)).flatMap((year) => year.data));
    },
    ...FRESH,
  });
  const holidays = data ?? [];
  const isChosen = ({ day, from }: PublicHoliday) => changed.get(day) ?? from === null;
  const chosen = holidays.filter(isChosen).map(({ day }) => day);
  return (
    <>
      <RefusedNotice error={error} />
      <p className="quiet-text">{HOLIDAY_LIST.hint}</p>
      <div className="holiday-choice">
        {holidays.map((holiday) => (
          <CheckField
            key={holiday.day}
            label={labelOf(holiday)}
            isSelected={isChosen(holiday)}
            onChange={(isOn) => setChanged(new Map([...changed, [holiday.day, isOn]]))}
          />
        ))}
      </div>
      <div>
        <Button isDisabled={chosen.length === 0} onPress={() => onAdd(chosen)}>
          {HOLIDAY_LIST.add({ n: chosen.length })}
        </Button>
      </div>
    </>
  );
}

/** A day stands once, those of every year first. */
function onceEach(holidays: readonly PublicHoliday[]): PublicHoliday[] {
  const byDay = new Map(holidays.map((holiday) => [holiday.day, holiday] as const).toReversed());
  return [...byDay.values()].toSorted((one, other) =>
    one.day.length === other.day.length ? (one.day < other.day ? -1 : 1) : one.day.length - other.day.length,
  );
}

function labelOf({ day, from, name }: PublicHoliday): string {
  const when = from === null ? '' : `, ${HOLIDAY_LIST.from({ time: from })}`;
  return `${calendarDayText(day)} ${name[LANGUAGE]}${when}`;
}
