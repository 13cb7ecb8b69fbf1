import { WallField } from './wall-field.tsx';
import { parseTime, WALL_WORDS } from './wall-text.ts';

/** A time of the clock, `HH:MM`; empty: none. */
export function TimeField({
  value,
  ...props
}: {
  label: string;
  name?: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  isReadOnly?: boolean;
  onChange: (time: string) => void;
}) {
  return (
    <WallField
      {...props}
      placeholder={WALL_WORDS.time}
      shown={value}
      read={parseTime}
      mistake={WALL_WORDS.noTime}
    />
  );
}
