import { Button } from '../../../ui/button.tsx';
import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { MinorField } from './minor-field.tsx';
import { OptionalLength } from './optional-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import { RowList } from './row-list.tsx';
import type { DayDraft, DayPriceDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

/** The highest price of a day, or its price where no band has one. */
export function DayFields({
  day,
  hasBands,
  place,
  currency,
  onChange,
}: {
  day: DayDraft | undefined;
  hasBands: boolean;
  place: string;
  currency: string;
  onChange: (day: DayDraft | undefined) => void;
}) {
  return (
    <TariffSection title={EDITOR.day}>
      <CheckField
        label={hasBands ? EDITOR.dayCap : EDITOR.dayPrice}
        isSelected={day !== undefined}
        onChange={(isOn) => onChange(isOn ? newDay(hasBands) : undefined)}
      />
      {day !== undefined && (
        <Fields day={day} hasBands={hasBands} place={place} currency={currency} onChange={onChange} />
      )}
    </TariffSection>
  );
}

function newDay(hasBands: boolean): DayDraft {
  return {
    kind: hasBands ? 'rolling' : 'calendar',
    prices: [{ fromDay: 1, priceMinor: null }],
    partial: hasBands ? undefined : 'full-day',
  };
}

function Fields({
  day,
  hasBands,
  place,
  currency,
  onChange,
}: {
  day: DayDraft;
  hasBands: boolean;
  place: string;
  currency: string;
  onChange: (day: DayDraft) => void;
}) {
  const partials = hasBands
    ? (['hours', 'full-day', 'free'] as const)
    : (['full-day', 'free', 'hours'] as const);
  return (
    <>
      <div className="row">
        <ChoiceField
          label={EDITOR.dayKind}
          value={day.kind}
          choices={[
            ['rolling', EDITOR.dayKinds.rolling],
            ['calendar', EDITOR.dayKinds.calendar],
          ]}
          onChange={(kind) => onChange({ ...day, kind })}
        />
        <ChoiceField
          label={EDITOR.partial}
          name={`${place}.partial`}
          value={day.partial ?? 'hours'}
          choices={partials.map((one) => [one, EDITOR.partials[one]] as const)}
          onChange={(partial) => onChange({ ...day, partial })}
        />
      </div>
      <PlaceNote place={`${place}.prices`} />
      <RowList
        rows={day.prices}
        nameOf={(at) => EDITOR.dayPriceName({ n: at + 1 })}
        onChange={(prices) => onChange({ ...day, prices })}
      >
        {(price, at, change) => (
          <DayPriceFields
            price={price}
            place={`${place}.prices.${at}`}
            currency={currency}
            onChange={change}
          />
        )}
      </RowList>
      <div>
        <Button
          look="quiet"
          onPress={() => onChange({ ...day, prices: [...day.prices, nextPrice(day.prices.at(-1))] })}
        >
          {EDITOR.addDayPrice}
        </Button>
      </div>
      {hasBands && (
        <>
          <OptionalLength
            without={EDITOR.noShortStay}
            label={EDITOR.shortStay}
            hint={EDITOR.shortStayHint}
            name={`${place}.shortStayMinutes`}
            value={day.shortStayMinutes}
            first={180}
            onChange={(shortStayMinutes) => onChange({ ...day, shortStayMinutes })}
          />
          <CheckField
            label={EDITOR.stepsRestart}
            isSelected={day.stepsRestart ?? true}
            onChange={(isOn) => onChange({ ...day, stepsRestart: isOn ? undefined : false })}
          />
        </>
      )}
    </>
  );
}

function nextPrice(last: DayPriceDraft | undefined): DayPriceDraft {
  if (last === undefined) return { fromDay: 1, priceMinor: null };
  return { fromDay: last.fromDay === null ? null : last.fromDay + 7, priceMinor: null };
}

function DayPriceFields({
  price,
  place,
  currency,
  onChange,
}: {
  price: DayPriceDraft;
  place: string;
  currency: string;
  onChange: (price: DayPriceDraft) => void;
}) {
  return (
    <div className="row">
      <NumberField
        label={EDITOR.fromDay}
        name={`${place}.fromDay`}
        minValue={1}
        isRequired
        value={price.fromDay ?? Number.NaN}
        onChange={(number) => onChange({ ...price, fromDay: Number.isNaN(number) ? null : number })}
      />
      <MinorField
        label={EDITOR.aDay}
        name={`${place}.priceMinor`}
        currency={currency}
        value={price.priceMinor}
        onChange={(priceMinor) => onChange({ ...price, priceMinor })}
      />
    </div>
  );
}
