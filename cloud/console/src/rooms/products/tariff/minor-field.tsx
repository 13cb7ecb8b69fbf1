import { useState } from 'react';
import { amountText, parseAmount } from '../../../ui/amount.ts';
import { TextField } from '../../../ui/field.tsx';
import { LANGUAGE } from '../../../words/words.ts';
import { PRODUCT } from '../product-words.ts';
import { WarningNote } from './place-note.tsx';
import type { Typed } from './tariff-draft.ts';

/** A field for an amount in the currency's minor unit. What was typed is shown as it was. */
export function MinorField({
  currency,
  value,
  onChange,
  ...field
}: {
  label: string;
  name: string;
  currency: string;
  value: Typed | undefined;
  hint?: string;
  onChange: (amountMinor: Typed) => void;
}) {
  const [typed, setTyped] = useState('');
  const amount = parseAmount(typed, currency, LANGUAGE);
  // A value that is not the typed one was set elsewhere.
  const isTyped = amount === (value ?? null);
  const shown = isTyped || typeof value !== 'number' ? typed : amountText(value, currency, LANGUAGE);
  const isWrong = typed.trim() !== '' && isTyped && amount === null;
  return (
    <div className="minor-field">
      <TextField
        {...field}
        value={shown}
        inputMode="decimal"
        autoComplete="off"
        isRequired
        mistake={isWrong ? PRODUCT.notAmount : undefined}
        onChange={(text) => {
          setTyped(text);
          onChange(parseAmount(text, currency, LANGUAGE));
        }}
      />
      <WarningNote place={field.name} />
    </div>
  );
}
