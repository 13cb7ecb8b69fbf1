import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { LengthField } from './length-field.tsx';
import { MinorField } from './minor-field.tsx';
import { OptionalAmount } from './optional-fields.tsx';
import type { TariffDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

interface RulesProps {
  draft: TariffDraft;
  place: string;
  currency: string;
  onChange: (draft: TariffDraft) => void;
}

/** The rules beside the prices: borders, grace, fees. */
export function RulesFields(props: RulesProps) {
  return (
    <TariffSection title={EDITOR.rules}>
      <BorderFields {...props} />
      <GraceFields {...props} />
      <FeeFields {...props} />
    </TariffSection>
  );
}

function BorderFields({ draft, onChange }: RulesProps) {
  return (
    <div className="row">
      {(draft.bands?.length ?? 0) > 1 && (
        <ChoiceField
          label={EDITOR.straddle}
          value={draft.straddle ?? 'rate-at-start'}
          choices={[
            ['rate-at-start', EDITOR.straddles['rate-at-start']],
            ['pro-rata', EDITOR.straddles['pro-rata']],
            ['restart', EDITOR.straddles.restart],
          ]}
          onChange={(straddle) => onChange({ ...draft, straddle })}
        />
      )}
      <ChoiceField
        label={EDITOR.boundary}
        value={draft.boundary ?? 'lower'}
        choices={[
          ['lower', EDITOR.boundaries.lower],
          ['upper', EDITOR.boundaries.upper],
        ]}
        onChange={(boundary) => onChange({ ...draft, boundary })}
      />
      {(draft.flatRates?.length ?? 0) > 0 && (
        <ChoiceField
          label={EDITOR.flatRateChoice}
          value={draft.flatRateChoice ?? 'cheapest'}
          choices={[
            ['cheapest', EDITOR.flatRateChoices.cheapest],
            ['priority', EDITOR.flatRateChoices.priority],
          ]}
          onChange={(flatRateChoice) => onChange({ ...draft, flatRateChoice })}
        />
      )}
    </div>
  );
}

function GraceFields({ draft, place, onChange }: RulesProps) {
  const minutes = (value: number) => (Number.isNaN(value) ? undefined : value);
  return (
    <div className="row">
      <NumberField
        label={EDITOR.entryGrace}
        hint={EDITOR.siteIfEmpty}
        name={`${place}.entryGraceMinutes`}
        minValue={0}
        value={draft.entryGraceMinutes ?? Number.NaN}
        onChange={(value) => onChange({ ...draft, entryGraceMinutes: minutes(value) })}
      />
      <NumberField
        label={EDITOR.exitGrace}
        hint={EDITOR.siteIfEmpty}
        name={`${place}.exitGraceMinutes`}
        minValue={0}
        value={draft.exitGraceMinutes ?? Number.NaN}
        onChange={(value) => onChange({ ...draft, exitGraceMinutes: minutes(value) })}
      />
    </div>
  );
}

function FeeFields({ draft, place, currency, onChange }: RulesProps) {
  const { lateFee, serviceFees = {} } = draft;
  return (
    <>
      <OptionalAmount
        withIt={EDITOR.kioskFee}
        label={EDITOR.amount}
        name={`${place}.serviceFees.kiosk`}
        currency={currency}
        value={serviceFees.kiosk}
        onChange={(kiosk) => onChange({ ...draft, serviceFees: { ...serviceFees, kiosk } })}
      />
      <OptionalAmount
        withIt={EDITOR.onlineFee}
        label={EDITOR.amount}
        name={`${place}.serviceFees.online`}
        currency={currency}
        value={serviceFees.online}
        onChange={(online) => onChange({ ...draft, serviceFees: { ...serviceFees, online } })}
      />
      <CheckField
        label={EDITOR.lateFee}
        isSelected={lateFee !== undefined}
        onChange={(isOn) =>
          onChange({ ...draft, lateFee: isOn ? { afterMinutes: 2880, amountMinor: null } : undefined })
        }
      />
      {lateFee && (
        <div className="row">
          <MinorField
            label={EDITOR.amount}
            name={`${place}.lateFee.amountMinor`}
            currency={currency}
            value={lateFee.amountMinor}
            onChange={(amountMinor) => onChange({ ...draft, lateFee: { ...lateFee, amountMinor } })}
          />
          <LengthField
            label={EDITOR.lateAfter}
            name={`${place}.lateFee.afterMinutes`}
            value={lateFee.afterMinutes}
            onChange={(afterMinutes) => onChange({ ...draft, lateFee: { ...lateFee, afterMinutes } })}
          />
        </div>
      )}
    </>
  );
}
