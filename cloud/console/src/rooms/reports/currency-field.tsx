import { ChoiceField } from '../../ui/field.tsx';
import { REPORT } from './report-words.ts';

/** The currency that a report shows, where money came in in several. */
export function CurrencyField({
  currencies,
  value,
  onChange,
}: {
  currencies: readonly string[];
  value: string;
  onChange: (currency: string) => void;
}) {
  if (currencies.length < 2) return null;
  return (
    <ChoiceField
      label={REPORT.currency}
      value={value}
      choices={currencies.map((one) => [one, one] as const)}
      onChange={onChange}
    />
  );
}
