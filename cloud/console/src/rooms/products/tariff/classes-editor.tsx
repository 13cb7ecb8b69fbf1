import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { LabelFields } from './label-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import { RatesFields } from './rates-fields.tsx';
import { RowList } from './row-list.tsx';
import type { ClassDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

/** Other prices for certain vehicles. */
export function ClassesEditor({
  classes,
  place,
  currency,
  onChange,
}: {
  classes: readonly ClassDraft[];
  place: string;
  currency: string;
  onChange: (classes: ClassDraft[] | undefined) => void;
}) {
  const add = () => onChange([...classes, { category: 'heavy', bands: [] }]);
  return (
    <TariffSection title={EDITOR.classes} hint={EDITOR.classesHint}>
      <RowList rows={classes} nameOf={(at) => EDITOR.class({ n: at + 1 })} onChange={onChange}>
        {(one, at, change) => (
          <ClassFields
            one={one}
            number={at + 1}
            place={`${place}.${at}`}
            currency={currency}
            onChange={change}
          />
        )}
      </RowList>
      <div>
        <Button onPress={add}>{EDITOR.addClass}</Button>
      </div>
    </TariffSection>
  );
}

function ClassFields({
  one,
  number,
  place,
  currency,
  onChange,
}: {
  one: ClassDraft;
  number: number;
  place: string;
  currency: string;
  onChange: (one: ClassDraft) => void;
}) {
  return (
    <div className="form">
      <h3>{EDITOR.class({ n: number })}</h3>
      <PlaceNote place={place} />
      <LabelFields
        label={one.label}
        place={`${place}.label`}
        onChange={(label) => onChange({ ...one, label })}
      />
      <div className="row">
        <ChoiceField
          label={EDITOR.vehicles}
          value={one.category ?? 'any'}
          choices={[
            ['any', EDITOR.anyVehicle],
            ['light', EDITOR.light],
            ['heavy', EDITOR.heavy],
          ]}
          onChange={(category) => onChange({ ...one, category: category === 'any' ? undefined : category })}
        />
        <LimitField
          label={EDITOR.seats}
          name={`${place}.seatsUpTo`}
          value={one.seatsUpTo}
          onChange={(seatsUpTo) => onChange({ ...one, seatsUpTo })}
        />
        <LimitField
          label={EDITOR.mass}
          name={`${place}.massUpToKg`}
          value={one.massUpToKg}
          onChange={(massUpToKg) => onChange({ ...one, massUpToKg })}
        />
      </div>
      <RatesFields rates={one} place={place} currency={currency} onChange={onChange} />
    </div>
  );
}

/** The most that the register has for a vehicle of the class; empty: any. */
function LimitField({
  label,
  name,
  value,
  onChange,
}: {
  label: string;
  name: string;
  value: number | null | undefined;
  onChange: (value: number | undefined) => void;
}) {
  return (
    <NumberField
      label={label}
      name={name}
      hint={EDITOR.anyIfEmpty}
      minValue={1}
      value={value ?? Number.NaN}
      onChange={(number) => onChange(Number.isNaN(number) ? undefined : number)}
    />
  );
}
