import { wordsOf } from '../words/words.ts';
import { TextField } from './field.tsx';

const WORDS = wordsOf('countField');

/** Whether that number was typed, with or without marks between its digits. */
export function isTypedCount(typed: string, count: number): boolean {
  return typed.replaceAll(/[\s.,]/g, '') === String(count);
}

/** A field into which people type how many visits they are about to change. */
export function CountField({
  count,
  value,
  onChange,
}: {
  count: number;
  value: string;
  onChange: (typed: string) => void;
}) {
  const isWrong = value.trim() !== '' && !isTypedCount(value, count);
  return (
    <TextField
      label={WORDS.label({ count })}
      hint={WORDS.hint}
      mistake={isWrong ? WORDS.other({ count }) : undefined}
      isRequired
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={onChange}
    />
  );
}
