import { LANGUAGE } from '../words/words.ts';
import { parseAmount } from './amount.ts';
import { TextField } from './field.tsx';

/** An amount as it was typed, and what it is; null: no amount. */
export interface TypedAmount {
  text: string;
  amountMinor: number | null;
}

/** A field for money. What was typed is shown as it was. */
export function AmountField({
  currency,
  value,
  isRequired = true,
  onChange,
  ...field
}: {
  label: string;
  currency: string;
  value: string;
  hint?: string | undefined;
  mistake?: string | undefined;
  autoFocus?: boolean;
  isRequired?: boolean;
  onChange: (typed: TypedAmount) => void;
}) {
  return (
    <TextField
      {...field}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      isRequired={isRequired}
      onChange={(text) => onChange({ text, amountMinor: parseAmount(text, currency, LANGUAGE) })}
    />
  );
}
