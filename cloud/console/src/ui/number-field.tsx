import { type KeyboardEvent, useEffect, useState } from 'react';
import { TextField as AriaTextField, Input, Label } from 'react-aria-components';
import { LANGUAGE, wordsOf } from '../words/words.ts';
import { asSaid, type Described, Notes } from './field.tsx';
import { useMistake } from './mistakes.tsx';
import { type NumberLimits, type NumberMistake, numberText, readNumber } from './typed-number.ts';

const WORDS = wordsOf('numberField');

/**
 * A field for a number, which is read as the language of the page writes it and counts while it is typed. What was typed
 * stays as it was: a text that is no number, or one beyond the limits, is a mistake that keeps the form from being sent.
 */
export function NumberField({
  label,
  hint,
  mistake: given,
  name,
  value,
  minValue,
  maxValue,
  digits = 0,
  isGrouped = true,
  isRequired = false,
  isReadOnly = false,
  isDisabled = false,
  autoFocus = false,
  onChange,
}: Described & {
  name?: string | undefined;
  /** NaN: none. */
  value: number;
  minValue?: number | undefined;
  maxValue?: number | undefined;
  /** Decimals, at most. */
  digits?: number;
  /** Whether thousands are marked, as they are not in a year. */
  isGrouped?: boolean;
  isRequired?: boolean;
  isReadOnly?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  /** Called at each key, with NaN where no number stands. */
  onChange: (value: number) => void;
}) {
  const limits = { minValue, maxValue, digits };
  const textOf = (number: number) => numberText(number, LANGUAGE, { digits, isGrouped });
  const [text, setText] = useTypedText(value, textOf, (typed) => readNumber(typed, LANGUAGE, limits).number);
  const said = useMistake(name) ?? given;
  const { mistake } = readNumber(text, LANGUAGE, limits);
  const change = (typed: string) => {
    setText(typed);
    onChange(readNumber(typed, LANGUAGE, limits).number);
  };
  const stepByArrow = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0 || isReadOnly || mistake !== null) return;
    event.preventDefault();
    change(textOf(stepped(readNumber(text, LANGUAGE, limits).number, step, limits)));
  };
  return (
    <AriaTextField
      {...(mistake === null ? asSaid(said) : { isInvalid: true })}
      {...(name !== undefined && { name })}
      className="field"
      value={text}
      inputMode={digits === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      isRequired={isRequired}
      isReadOnly={isReadOnly}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      onChange={change}
      onBlur={() => {
        if (mistake === null) setText(textOf(value));
      }}
    >
      <Label>{label}</Label>
      {/* Here and not on the field: React Aria would keep each key from what is around, and Escape closes a dialog. */}
      <Input onKeyDown={stepByArrow} />
      <Notes hint={hint} mistake={mistake === null ? said : mistakeText(mistake, limits)} />
    </AriaTextField>
  );
}

/** The text of a field as it was typed, until its value is changed elsewhere. */
function useTypedText(
  value: number,
  textOf: (value: number) => string,
  read: (text: string) => number,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(() => textOf(value));
  const [before, setBefore] = useState(value);
  const [isTyping, setTyping] = useState(false);
  // A form may hold another number than the typed one, as 0 for none.
  useEffect(() => {
    if (isTyping) setTyping(false);
  }, [isTyping]);
  if (!Object.is(before, value)) {
    setBefore(value);
    if (!(isTyping || Object.is(read(text), value))) setText(textOf(value));
  }
  const type = (typed: string) => {
    setTyping(true);
    setText(typed);
  };
  return [text, type];
}

function stepped(number: number, step: number, { minValue, maxValue }: NumberLimits): number {
  const from = Number.isNaN(number) ? (minValue ?? 0) - step : number;
  return Math.max(Math.min(from + step, maxValue ?? Number.POSITIVE_INFINITY), minValue ?? -Infinity);
}

function mistakeText(mistake: NumberMistake, { minValue = 0, maxValue = 0, digits }: NumberLimits): string {
  const shown = (number: number) => numberText(number, LANGUAGE, { digits });
  switch (mistake) {
    case 'no-number':
      return digits === 0 ? WORDS.noWholeNumber : WORDS.noNumber;
    case 'not-whole':
      return WORDS.notWhole;
    case 'too-many-decimals':
      return WORDS.tooManyDecimals({ digits });
    case 'too-small':
      return WORDS.tooSmall({ min: shown(minValue) });
    case 'too-large':
      return WORDS.tooLarge({ max: shown(maxValue) });
    default:
      return mistake satisfies never;
  }
}
