import { momentAtWall, siteWall } from '@hlid/protocol/site-link/site-wall';
import { isSameClock } from './time.tsx';
import { WallField } from './wall-field.tsx';
import { dayText, parseWall, WALL_WORDS } from './wall-text.ts';

/** A day and a time on the wall of a site. Null: none. */
export function MomentField({
  label,
  name,
  hint,
  value,
  timeZone,
  onChange,
  isRequired = false,
}: {
  label: string;
  /** The field's path in the request, for the cloud's errors about it. */
  name?: string;
  hint?: string;
  value: string | null;
  timeZone: string;
  onChange: (moment: string | null) => void;
  isRequired?: boolean;
}) {
  const isElsewhere = !isSameClock(timeZone, new Date(value ?? Date.now()));
  const today = siteWall(new Date(), timeZone).day;
  const wall = value === null ? null : siteWall(new Date(value), timeZone);
  const read = (text: string) => {
    const typed = parseWall(text, today);
    return typed && momentAtWall(typed.day, minutesOf(typed.time), timeZone);
  };
  return (
    <WallField
      label={isElsewhere ? `${label} (${timeZone})` : label}
      hint={hint}
      name={name}
      isRequired={isRequired}
      placeholder={WALL_WORDS.moment}
      shown={wall === null ? '' : `${dayText(wall.day)} ${wall.time}`}
      read={read}
      mistake={WALL_WORDS.noMoment}
      onChange={(moment) => onChange(moment || null)}
      calendar={{
        day: wall?.day ?? '',
        onChoose: (day) => onChange(momentAtWall(day, minutesOf(wall?.time ?? '00:00'), timeZone)),
      }}
    />
  );
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
