import { useState } from 'react';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { correctVehicle, type OverrideEdit, type Overrides, VEHICLE_QUERIES } from './vehicle-api.ts';
import { VEHICLE } from './vehicle-words.ts';

const TEXTS = ['make', 'model', 'color', 'vin', 'country'] as const;
const NUMBERS = ['modelYear', 'massladen', 'seats'] as const;
type Name = (typeof TEXTS)[number] | (typeof NUMBERS)[number] | 'category';

/** Overrides fields of a vehicle in the register; an emptied field has the register's value again. */
export function CorrectDialog({
  plate,
  before,
  onClose,
}: {
  plate: string;
  before: Overrides;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const reload = useReload();
  const first = (name: Name) => {
    const value = before.values[name]?.value;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const names: readonly Name[] = ['category', ...TEXTS, ...NUMBERS];
  const [draft, setDraft] = useState(() => new Map(names.map((name) => [name, first(name)])));
  const changed = names.filter((name) => draft.get(name) !== first(name));
  const correct = useSubmit(
    (values: OverrideEdit['values'], headers) => correctVehicle(plate, values, headers),
    {
      invalidates: VEHICLE_QUERIES,
      onDone: () => {
        onClose();
        toasts.done(VEHICLE.corrected({ plate }), async () => {
          await correctVehicle(plate, valuesOf(changed, first));
          reload(VEHICLE_QUERIES);
        });
      },
    },
  );
  const field = (name: Name) => ({
    name,
    value: draft.get(name) ?? '',
    onChange: (text: string) => setDraft(new Map(draft).set(name, text)),
  });
  return (
    <FormDialog
      title={VEHICLE.correctTitle({ plate })}
      submit={COMMON.save}
      error={correct.error}
      isBusy={correct.isPending}
      isReady={changed.length > 0}
      onSubmit={() => correct.mutate(valuesOf(changed, (name) => draft.get(name) ?? ''))}
      onClose={onClose}
    >
      <p className="hint">{VEHICLE.correctHint}</p>
      <ChoiceField
        label={VEHICLE.category}
        {...field('category')}
        choices={[
          ['', VEHICLE.asRegister],
          ['light', VEHICLE.categories.light],
          ['heavy', VEHICLE.categories.heavy],
        ]}
      />
      <div className="row">
        {TEXTS.map((name) => (
          <TextField key={name} label={VEHICLE[name === 'make' ? 'makeOnly' : name]} {...field(name)} />
        ))}
        {NUMBERS.map((name) => (
          <NumberField
            key={name}
            name={name}
            label={VEHICLE[name]}
            isGrouped={name !== 'modelYear'}
            value={numberOf(draft.get(name) ?? '')}
            onChange={(number) =>
              setDraft(new Map(draft).set(name, Number.isNaN(number) ? '' : String(number)))
            }
          />
        ))}
      </div>
    </FormDialog>
  );
}

function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

function valuesOf(names: readonly Name[], textOf: (name: Name) => string): OverrideEdit['values'] {
  const isNumber = (name: Name) => NUMBERS.some((one) => one === name);
  return Object.fromEntries(
    names.map((name) => {
      const text = textOf(name).trim();
      return [name, text === '' ? null : isNumber(name) ? numberOf(text) : text];
    }),
  );
}
