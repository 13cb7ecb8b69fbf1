import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import type { ConflictField } from './conflict.tsx';
import { type Draft, isSame, type Value } from './draft.ts';
import { CheckField, ChoiceField, TextField } from './field.tsx';
import { NumberField } from './number-field.tsx';
import { PictureField } from './picture-field.tsx';
import { SiteVatField } from './site-vat-field.tsx';

/** A field of a form by its kind; `lines`: a list of texts, one a line; `several`: some of
 * a few; `picture`: a small picture as a `data:` address; `vat`: the VAT of a site, as `writeSiteVat` has it. An empty number is null;
 * `digits`: its decimals, at most. */
export type FieldSpec<D extends Draft> = { name: keyof D & string; label: string; hint?: string } & (
  | { kind: 'text'; isRequired?: boolean; rows?: number; type?: 'text' | 'tel' | 'url' | 'email' }
  | { kind: 'number'; isRequired?: boolean; min?: number; max?: number; digits?: number }
  | { kind: 'check' }
  | { kind: 'choice'; choices: readonly (readonly [value: string, label: string])[] }
  | { kind: 'lines' }
  | { kind: 'picture'; mistake: string }
  | { kind: 'vat' }
  | { kind: 'several'; choices: readonly (readonly [value: string, label: string])[] }
);

export function Fields<D extends Draft>({
  specs,
  draft,
  onChange,
}: {
  specs: readonly FieldSpec<D>[];
  draft: D;
  onChange: (draft: D) => void;
}) {
  return specs.map((spec) => (
    <OneField
      key={spec.name}
      spec={spec}
      value={draft[spec.name] ?? null}
      onChange={(value) => onChange({ ...draft, [spec.name]: value })}
    />
  ));
}

function OneField<D extends Draft>({
  spec,
  value,
  onChange,
}: {
  spec: FieldSpec<D>;
  value: Value;
  onChange: (value: Value) => void;
}) {
  const { label, hint } = spec;
  const named = { label, name: spec.name, ...(hint !== undefined && { hint }) };
  switch (spec.kind) {
    case 'text': {
      const { isRequired = false, type = 'text', rows } = spec;
      return (
        <TextField
          {...named}
          {...{ isRequired, type, value: typeof value === 'string' ? value : '', onChange }}
          {...(rows !== undefined && { rows })}
        />
      );
    }
    case 'number': {
      const { isRequired = false, min, max, digits = 0 } = spec;
      return (
        <NumberField
          {...named}
          isRequired={isRequired}
          minValue={min}
          maxValue={max}
          digits={digits}
          value={typeof value === 'number' ? value : Number.NaN}
          onChange={(number) => onChange(Number.isNaN(number) ? null : number)}
        />
      );
    }
    case 'check':
      return (
        <div className="field">
          <CheckField label={label} isSelected={value === true} onChange={onChange} />
          {hint && <span className="hint">{hint}</span>}
        </div>
      );
    case 'choice':
      return (
        <ChoiceField {...named} value={String(value ?? '')} choices={spec.choices} onChange={onChange} />
      );
    case 'several': {
      const chosen = Array.isArray(value) ? value.map(String) : [];
      return (
        <SeveralField
          label={label}
          hint={hint}
          choices={spec.choices}
          chosen={chosen}
          onChange={(values) => onChange(values)}
        />
      );
    }
    case 'picture':
      return (
        <PictureField
          {...{ label, name: spec.name, hint, value: typeof value === 'string' ? value : '' }}
          tooLarge={spec.mistake}
          onChange={onChange}
        />
      );
    case 'vat':
      return (
        <SiteVatField
          {...{ label, name: spec.name, value: typeof value === 'string' ? value : '' }}
          onChange={onChange}
        />
      );
    case 'lines':
      return (
        <TextField
          {...named}
          rows={4}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
        />
      );
    default:
      return spec satisfies never;
  }
}

/** A box for each choice. What was chosen before and is no choice stays chosen until it is taken off. */
function SeveralField({
  label,
  hint,
  choices,
  chosen,
  onChange,
}: {
  label: string;
  hint: string | undefined;
  choices: readonly (readonly [value: string, label: string])[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const others = chosen.filter((one) => !choices.some(([value]) => value === one));
  const shown = [...choices, ...others.map((one) => [one, one] as const)];
  return (
    <fieldset className="field several">
      <legend className="label">{label}</legend>
      {shown.map(([value, name]) => (
        <CheckField
          key={value}
          label={name}
          isSelected={chosen.includes(value)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
      {hint && <span className="hint">{hint}</span>}
    </fieldset>
  );
}

/** The fields that another person changed meanwhile, as `Conflict` shows them. */
export function conflictsOf<D extends Draft>(
  specs: readonly FieldSpec<D>[],
  before: D,
  theirs: D,
  yours: D,
): ConflictField[] {
  return specs
    .filter(({ name }) => !isSame(before[name] ?? null, theirs[name] ?? null))
    .map((spec) => {
      const shown = (draft: D) => valueText(spec, draft[spec.name] ?? null);
      return { name: spec.label, before: shown(before), theirs: shown(theirs), yours: shown(yours) };
    });
}

function valueText<D extends Draft>(spec: FieldSpec<D>, value: Value): ReactNode {
  if (spec.kind === 'picture' || spec.kind === 'vat') return value === '' ? COMMON.none : COMMON.present;
  if (spec.kind === 'check') return value === true ? COMMON.yes : COMMON.no;
  if (spec.kind === 'choice') return spec.choices.find(([one]) => one === value)?.[1] ?? '';
  if (spec.kind === 'several' && Array.isArray(value)) {
    return value.map((id) => spec.choices.find(([one]) => one === id)?.[1] ?? id).join(', ');
  }
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}
