import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

const PAUSE_MS = 300;

/** A filter that is typed; it counts after a pause. */
export function FilterText({
  label,
  value = '',
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      label={label}
      type="search"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(text.trim()), PAUSE_MS);
      }}
    />
  );
}
