import { ChoiceField } from '../../../ui/field.tsx';
import { OptionalAmount } from './optional-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import type { CapsDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

/** The most that a week and a stay cost. */
export function CapsFields({
  caps = {},
  place,
  currency,
  onChange,
}: {
  caps: CapsDraft | undefined;
  place: string;
  currency: string;
  onChange: (caps: CapsDraft) => void;
}) {
  return (
    <TariffSection title={EDITOR.caps}>
      <OptionalAmount
        withIt={EDITOR.visitCap}
        label={EDITOR.atMost}
        name={`${place}.visitMinor`}
        currency={currency}
        value={caps.visitMinor}
        onChange={(visitMinor) => onChange({ ...caps, visitMinor })}
      />
      <OptionalAmount
        withIt={EDITOR.weekCap}
        label={EDITOR.atMost}
        name={`${place}.weekMinor`}
        currency={currency}
        value={caps.weekMinor}
        onChange={(weekMinor) =>
          onChange({ ...caps, weekMinor, week: weekMinor === undefined ? undefined : caps.week })
        }
      />
      {caps.weekMinor === undefined ? (
        <PlaceNote place={`${place}.week`} />
      ) : (
        <ChoiceField
          label={EDITOR.week}
          name={`${place}.week`}
          value={caps.week ?? 'stay'}
          choices={[
            ['stay', EDITOR.weeks.stay],
            ['calendar', EDITOR.weeks.calendar],
          ]}
          onChange={(week) => onChange({ ...caps, week })}
        />
      )}
    </TariffSection>
  );
}
