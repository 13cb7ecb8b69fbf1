import { wordsIn } from '../words/words.ts';
import { TextField } from './field.tsx';

const WORDS = wordsIn(
  {
    label: (count: number) => `Type the number of visits: ${count}`,
    hint: 'So that nobody gives up money by a slip.',
    other: (count: number) => `The number is ${count}.`,
  },
  {
    label: (count: number) => `Sláðu inn fjölda dvala: ${count}`,
    hint: 'Svo enginn gefi eftir fé fyrir mistök.',
    other: (count: number) => `Fjöldinn er ${count}.`,
  },
);

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
      label={WORDS.label(count)}
      hint={WORDS.hint}
      mistake={isWrong ? WORDS.other(count) : undefined}
      isRequired
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={onChange}
    />
  );
}
