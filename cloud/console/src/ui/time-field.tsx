import { WallField } from './wall-field.tsx';
import { parseEndTime, parseTime, WALL_WORDS } from './wall-text.ts';

/** A time of the clock, `HH:MM`; empty: none. */
export function TimeField({
  value,
  isEnd = false,
  ...props
}: {
  label: string;
  name?: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  isReadOnly?: boolean;
  /** The end of daily hours: `24:00` is one too. */
  isEnd?: boolean;
  onChange: (time: string) => void;
}) {
  return (
    <WallField
      {...props}
      placeholder={WALL_WORDS.time}
      shown={value}
      read={isEnd ? parseEndTime : parseTime}
      mistake={WALL_WORDS.noTime}
    />
  );
}
