import { momentAtWall, siteWall } from '@hlid/protocol/site-wall';
import { useState } from 'react';
import { TextField } from './field.tsx';
import { isSameClock } from './time.tsx';

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
  /** Its place in what is sent, for what the cloud says of it. */
  name?: string;
  hint?: string;
  value: string | null;
  timeZone: string;
  onChange: (moment: string | null) => void;
  isRequired?: boolean;
}) {
  const [typed, setTyped] = useState(() => wallInput(value, timeZone));
  const isElsewhere = !isSameClock(timeZone, new Date(value ?? Date.now()));
  return (
    <TextField
      label={isElsewhere ? `${label} (${timeZone})` : label}
      hint={hint}
      {...(name !== undefined && { name })}
      type="datetime-local"
      value={typed}
      isRequired={isRequired}
      onChange={(text) => {
        setTyped(text);
        onChange(momentOfInput(text, timeZone));
      }}
    />
  );
}

/** A moment as `datetime-local` fields have it: `2026-11-23T08:00`. */
function wallInput(moment: string | null, timeZone: string): string {
  if (moment === null) return '';
  const { day, time } = siteWall(new Date(moment), timeZone);
  return `${day}T${time}`;
}

function momentOfInput(text: string, timeZone: string): string | null {
  const [, day, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(text) ?? [];
  if (day === undefined) return null;
  return momentAtWall(day, Number(hours) * 60 + Number(minutes), timeZone);
}
