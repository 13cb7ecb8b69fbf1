import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { MAX_ENTRIES } from '@hlid/protocol/pages/kiosk-api';
import { Select } from '@hlid/ui/select';
import { useEffect } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { dayOf, daysUntil, dayText, hourOf, timeText } from '../site-clock.ts';
import { type EntryTime, MAX_HOURS, type Screen } from '../state/kiosk-state.ts';
import { Frame } from '../ui/frame.tsx';
import { VisitCard } from '../ui/visit-card.tsx';

export function BrowseScreen({ screen }: { screen: Extract<Screen, { at: 'browse' }> }) {
  const { words, language, site, dispatch } = useKiosk();
  const today = dayOf(new Date(), site.timeZone);
  const time: EntryTime = screen.time ?? { day: today, hours: [] };
  const isAsked = screen.time !== null;
  useEffect(() => {
    if (!isAsked) dispatch({ type: 'entry-time', time: { day: today, hours: [] } });
  }, [isAsked, today, dispatch]);
  const choose = (change: Partial<EntryTime>) =>
    dispatch({ type: 'entry-time', time: { ...time, ...change } });

  return (
    <Frame
      className="browsing"
      title={words.browse.title}
      lead={time.hours.length > 0 ? words.browse.lead : words.browse.hoursFirst}
      controls={
        <div className="selects">
          <Select
            label={words.browse.day}
            placeholder=""
            options={daysUntil(today, site.entryDays).map((day) => ({
              value: day,
              text: dayText(day, today, language),
            }))}
            values={[time.day]}
            onChange={([day]) => day !== undefined && choose({ day })}
          />
          <Select
            label={words.browse.hours}
            placeholder={words.browse.hoursNone}
            hint={words.browse.maxHours({ most: MAX_HOURS })}
            maxValues={MAX_HOURS}
            opensAt={twoDigits(hourOf(new Date(), site.timeZone))}
            options={Array.from({ length: 24 }, (_, hour) => ({
              value: twoDigits(hour),
              text: hourText(hour, language),
            }))}
            values={time.hours.map(twoDigits)}
            onChange={(hours) => choose({ hours: hours.map(Number).sort((a, b) => a - b) })}
          />
        </div>
      }
    >
      <Cars screen={screen} />
    </Frame>
  );
}

function Cars({ screen }: { screen: Extract<Screen, { at: 'browse' }> }) {
  const { words } = useKiosk();
  const { visits, trouble, time } = screen;
  if (!time?.hours.length) return null;
  if (!visits) {
    return (
      <p className="hint" role="status">
        {trouble === 'too-many-requests' ? words.plate.tooMany : words.looking}
      </p>
    );
  }
  if (visits.length === 0) {
    return (
      <p className="hint" role="status">
        <strong>{words.browse.none}</strong> {words.browse.noneMore}
      </p>
    );
  }
  return (
    <>
      <ul className="cards grid" aria-label={words.browse.found}>
        {visits.map((visit) => (
          <li key={visit.id}>
            <VisitCard visit={visit} />
          </li>
        ))}
      </ul>
      {visits.length >= MAX_ENTRIES && <p className="hint">{words.browse.more}</p>}
    </>
  );
}

function hourText(hour: number, language: Language): string {
  const at = (n: number) => timeText(new Date(n * HOUR_MS), 'UTC', language);
  return `${at(hour)}–${at(hour + 1)}`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
