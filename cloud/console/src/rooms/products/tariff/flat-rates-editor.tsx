import { Button } from '../../../ui/button.tsx';
import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { TimeField } from '../../../ui/time-field.tsx';
import { LabelFields } from './label-fields.tsx';
import { MinorField } from './minor-field.tsx';
import { OptionalLength } from './optional-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import { RowList } from './row-list.tsx';
import type { FlatRateDraft, WindowDraft } from './tariff-draft.ts';
import { FLAT_RATE_KINDS, flatRateOfKind } from './tariff-kinds.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';
import { WindowFields } from './window-fields.tsx';

/** One price for a stay that begins and ends at certain times: early bird, night, weekend. */
export function FlatRatesEditor({
  rates,
  place,
  currency,
  onChange,
}: {
  rates: readonly FlatRateDraft[];
  place: string;
  currency: string;
  onChange: (rates: FlatRateDraft[] | undefined) => void;
}) {
  return (
    <TariffSection title={EDITOR.flatRates} hint={EDITOR.flatRatesHint}>
      <RowList rows={rates} nameOf={(at) => EDITOR.flatRate({ n: at + 1 })} onChange={onChange}>
        {(rate, at, change) => (
          <FlatRateFields
            rate={rate}
            number={at + 1}
            place={`${place}.${at}`}
            currency={currency}
            onChange={change}
          />
        )}
      </RowList>
      <div className="row-acts">
        {FLAT_RATE_KINDS.map((kind) => (
          <Button key={kind} onPress={() => onChange([...rates, flatRateOfKind(kind, currency)])}>
            {EDITOR.flatRateKinds[kind]}
          </Button>
        ))}
      </div>
    </TariffSection>
  );
}

function FlatRateFields({
  rate,
  number,
  place,
  currency,
  onChange,
}: {
  rate: FlatRateDraft;
  number: number;
  place: string;
  currency: string;
  onChange: (rate: FlatRateDraft) => void;
}) {
  return (
    <div className="form">
      <h3>{EDITOR.flatRate({ n: number })}</h3>
      <PlaceNote place={place} />
      <LabelFields
        label={rate.label}
        place={`${place}.label`}
        onChange={(label) => onChange({ ...rate, label })}
      />
      <div className="row">
        <MinorField
          label={EDITOR.price}
          name={`${place}.priceMinor`}
          currency={currency}
          value={rate.priceMinor}
          onChange={(priceMinor) => onChange({ ...rate, priceMinor })}
        />
        <ChoiceField
          label={EDITOR.within}
          value={rate.within ?? 'any'}
          choices={[
            ['any', EDITOR.withins.any],
            ['day', EDITOR.withins.day],
            ['weekend', EDITOR.withins.weekend],
          ]}
          onChange={(within) => onChange({ ...rate, within: within === 'any' ? undefined : within })}
        />
        <TimeField
          label={EDITOR.untilNext}
          hint={EDITOR.untilNextHint}
          name={`${place}.untilNext`}
          value={rate.untilNext ?? ''}
          onChange={(time) => onChange({ ...rate, untilNext: time === '' ? undefined : time })}
        />
      </div>
      <OptionalLength
        without={EDITOR.anyLength}
        label={EDITOR.longestStay}
        name={`${place}.withinMinutes`}
        value={rate.withinMinutes}
        first={720}
        onChange={(withinMinutes) => onChange({ ...rate, withinMinutes })}
      />
      <OptionalWindow
        without={EDITOR.anyEntry}
        title={EDITOR.entry}
        window={rate.entry}
        place={`${place}.entry`}
        onChange={(entry) => onChange({ ...rate, entry })}
      />
      <OptionalWindow
        without={EDITOR.anyExit}
        title={EDITOR.exit}
        window={rate.exit}
        place={`${place}.exit`}
        onChange={(exit) => onChange({ ...rate, exit })}
      />
    </div>
  );
}

function OptionalWindow({
  without,
  title,
  window,
  place,
  onChange,
}: {
  without: string;
  title: string;
  window: WindowDraft | undefined;
  place: string;
  onChange: (window: WindowDraft | undefined) => void;
}) {
  const isAny = window === undefined || isWholeWeek(window);
  return (
    <fieldset className="form">
      <legend>{title}</legend>
      <CheckField
        label={without}
        isSelected={isAny}
        onChange={(isChosen) => onChange(isChosen ? undefined : { startTime: '06:00', endTime: '09:00' })}
      />
      {isAny ? (
        <PlaceNote place={place} />
      ) : (
        <WindowFields window={window} place={place} onChange={onChange} />
      )}
    </fieldset>
  );
}

/** The cloud writes a window that is always open where none was given. */
function isWholeWeek({ weekdays, startTime, endTime, dates, holidays }: WindowDraft): boolean {
  const isWholeDay = (startTime ?? '00:00') === '00:00' && (endTime ?? '23:59') === '23:59';
  return isWholeDay && !weekdays && !dates && !holidays;
}
