import { VAT_CATEGORIES, VAT_REASONS, type VatCategory } from '@hlid/protocol/base/vat';
import { vatReasonText } from '@hlid/protocol/words/vat-words';
import { wordsOf } from '../words/words.ts';
import { ChoiceField, TextField } from './field.tsx';
import { NumberField } from './number-field.tsx';

const WORDS = wordsOf('vatFields');
const PRICE = wordsOf('price');

/** VAT as it stands in a form. */
export interface TypedVat {
  /** Empty: the question is open. `site`: a product that has the VAT of its site. */
  category: VatCategory | 'site' | '';
  /** Percent; 0: not typed yet. */
  rate: number;
  /** One of `VAT_REASONS`, or a text of the person’s own. */
  reason: string;
}

/** The decision of a person, in the cloud's form; null: a field is empty. */
export function readVat({ category, rate, reason }: TypedVat) {
  if (category === '') return null;
  if (category === 'site') return { category: null, rate: 0, reason: null };
  if (category === 'S') return rate > 0 ? { category, rate, reason: null } : null;
  if (category === 'Z') return { category, rate: 0, reason: null };
  const text = reason.trim();
  return text === '' ? null : { category, rate: 0, reason: text };
}

/** The same in a few words. */
export function vatText({
  category,
  rate,
  reason,
}: {
  category: VatCategory | null;
  rate: string;
  reason: string | null;
}): string {
  if (category === null) return WORDS.open;
  if (category === 'S') return rate;
  if (category === 'Z') return PRICE.noVat.Z;
  return PRICE.noVat[category]({ reason: vatReasonText(reason ?? '', PRICE) });
}

/** A category without its reason. */
export function vatCategoryText(category: VatCategory | null, rate: string): string {
  if (category === null) return WORDS.open;
  return category === 'S' ? rate : WORDS.categories[category];
}

/** Asks for the VAT of a price or a fee. There is no usual answer: an accountant decides. */
export function VatFields({
  label,
  value,
  places,
  canFollowSite = false,
  isReadOnly = false,
  onChange,
}: {
  label: string;
  value: TypedVat;
  /** The places of the three in the input. */
  places: { category: string; rate: string; reason: string };
  canFollowSite?: boolean;
  isReadOnly?: boolean;
  onChange: (value: TypedVat) => void;
}) {
  const { category, rate, reason } = value;
  const known = VAT_REASONS.find((one) => one === reason);
  const needsReason = category === 'E' || category === 'O';
  return (
    <div className="row">
      <ChoiceField
        label={label}
        name={places.category}
        hint={WORDS.hint}
        value={category}
        choices={[
          ['', WORDS.choose],
          ...VAT_CATEGORIES.map((one) => [one, WORDS.categories[one]] as const),
          ...(canFollowSite ? ([['site', WORDS.ofSite]] as const) : []),
        ]}
        onChange={(next) => onChange({ ...value, category: next })}
      />
      {category === 'S' && (
        <NumberField
          label={WORDS.rate}
          name={places.rate}
          value={rate === 0 ? Number.NaN : rate}
          minValue={0.01}
          maxValue={100}
          digits={2}
          isRequired
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ ...value, rate: Number.isNaN(next) ? 0 : next })}
        />
      )}
      {needsReason && (
        <ChoiceField
          label={WORDS.reason}
          name={places.reason}
          value={known ?? ''}
          choices={[
            ['', WORDS.otherReason],
            ...VAT_REASONS.map((one) => [one, vatReasonText(one, PRICE)] as const),
          ]}
          onChange={(next) => onChange({ ...value, reason: next })}
        />
      )}
      {needsReason && known === undefined && (
        <TextField
          label={WORDS.reasonText}
          hint={WORDS.reasonHint}
          value={reason}
          isRequired
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ ...value, reason: next })}
        />
      )}
    </div>
  );
}
