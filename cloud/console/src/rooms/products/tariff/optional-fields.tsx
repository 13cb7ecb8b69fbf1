import { CheckField } from '../../../ui/field.tsx';
import { LengthField } from './length-field.tsx';
import { MinorField } from './minor-field.tsx';
import { PlaceNote } from './place-note.tsx';
import type { Typed } from './tariff-draft.ts';

interface OptionalProps {
  label: string;
  name: string;
  hint?: string;
  value: Typed | undefined;
  /** Undefined: the tariff has none. */
  onChange: (value: Typed | undefined) => void;
}

/** A length of time that a tariff need not have. */
export function OptionalLength({
  without,
  first,
  ...props
}: OptionalProps & {
  /** The rule that applies without it, as the name of the box. */
  without: string;
  /** The minutes to begin with. */
  first: number;
}) {
  const { value, onChange } = props;
  return (
    <div className="optional">
      <CheckField
        label={without}
        isSelected={value === undefined}
        onChange={(isWithout) => onChange(isWithout ? undefined : first)}
      />
      {value === undefined ? <PlaceNote place={props.name} /> : <LengthField {...props} />}
    </div>
  );
}

/** An amount that a tariff need not have. */
export function OptionalAmount({
  withIt,
  currency,
  ...props
}: OptionalProps & {
  /** The purpose, as the name of the box. */
  withIt: string;
  currency: string;
}) {
  const { value, onChange } = props;
  return (
    <div className="optional">
      <CheckField
        label={withIt}
        isSelected={value !== undefined}
        onChange={(isWith) => onChange(isWith ? null : undefined)}
      />
      {value === undefined ? <PlaceNote place={props.name} /> : <MinorField {...props} currency={currency} />}
    </div>
  );
}
