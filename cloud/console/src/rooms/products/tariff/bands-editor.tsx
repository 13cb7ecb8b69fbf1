import { Button } from '../../../ui/button.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { LabelFields } from './label-fields.tsx';
import { OptionalAmount } from './optional-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import { RowList } from './row-list.tsx';
import { StepsEditor } from './steps-editor.tsx';
import type { BandDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';
import { WeekClock } from './week-clock.tsx';
import { WindowFields } from './window-fields.tsx';

/** The prices at certain times of the week, with the week as a clock face. */
export function BandsEditor({
  bands,
  place,
  currency,
  onChange,
}: {
  bands: readonly BandDraft[];
  place: string;
  currency: string;
  onChange: (bands: BandDraft[]) => void;
}) {
  const add = () => onChange([...bands, newBand(bands.length)]);
  return (
    <TariffSection title={EDITOR.bands} hint={EDITOR.bandsHint}>
      <PlaceNote place={place} />
      {bands.length > 0 && <WeekClock bands={bands} />}
      <RowList rows={bands} nameOf={(at) => EDITOR.band({ n: at + 1 })} onChange={onChange}>
        {(band, at, change) => (
          <BandFields
            band={band}
            number={at + 1}
            place={`${place}.${at}`}
            currency={currency}
            onChange={change}
          />
        )}
      </RowList>
      <div>
        <Button onPress={add}>{EDITOR.addBand}</Button>
      </div>
    </TariffSection>
  );
}

/** A first band is for all times, and each further one for the day until its hours are chosen. */
function newBand(place: number): BandDraft {
  const steps: BandDraft['steps'] = [{ kind: 'each', priceMinor: null, everyMinutes: 60 }];
  return place === 0 ? { steps } : { window: { startTime: '08:00', endTime: '18:00' }, steps };
}

function BandFields({
  band,
  number,
  place,
  currency,
  onChange,
}: {
  band: BandDraft;
  number: number;
  place: string;
  currency: string;
  onChange: (band: BandDraft) => void;
}) {
  const { window } = band;
  return (
    <div className="form">
      <h3>
        <span className={`band-mark band-${(number - 1) % 6}`} aria-hidden="true" />
        {EDITOR.band({ n: number })}
      </h3>
      <PlaceNote place={place} />
      <LabelFields
        label={band.label}
        place={`${place}.label`}
        onChange={(label) => onChange({ ...band, label })}
      />
      <CheckField
        label={EDITOR.atAllTimes}
        isSelected={window === undefined}
        onChange={(isAlways) =>
          onChange({ ...band, window: isAlways ? undefined : { startTime: '08:00', endTime: '18:00' } })
        }
      />
      {window === undefined ? (
        <PlaceNote place={`${place}.window`} />
      ) : (
        <WindowFields
          window={window}
          place={`${place}.window`}
          onChange={(changed) => onChange({ ...band, window: changed })}
        />
      )}
      <StepsEditor
        steps={band.steps}
        place={`${place}.steps`}
        currency={currency}
        onChange={(steps) => onChange({ ...band, steps })}
      />
      <OptionalAmount
        withIt={EDITOR.bandCap}
        label={EDITOR.atMost}
        name={`${place}.capMinor`}
        currency={currency}
        value={band.capMinor}
        onChange={(capMinor) => onChange({ ...band, capMinor })}
      />
    </div>
  );
}
