import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { LengthField } from './length-field.tsx';
import { PlaceNote } from './place-note.tsx';
import type { FreeDraft } from './tariff-draft.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';

/** The first minutes free. */
export function FreeFields({
  free,
  place,
  onChange,
}: {
  free: FreeDraft | undefined;
  place: string;
  onChange: (free: FreeDraft | undefined) => void;
}) {
  return (
    <TariffSection title={EDITOR.free}>
      <CheckField
        label={EDITOR.hasFree}
        isSelected={free !== undefined}
        onChange={(isOn) => onChange(isOn ? { minutes: 15 } : undefined)}
      />
      {free !== undefined && <Fields free={free} place={place} onChange={onChange} />}
    </TariffSection>
  );
}

function Fields({
  free,
  place,
  onChange,
}: {
  free: FreeDraft;
  place: string;
  onChange: (free: FreeDraft) => void;
}) {
  const { when = 'fits', per = 'visit', again = 'nothing' } = free;
  return (
    <>
      <div className="row">
        <LengthField
          label={EDITOR.freeLength}
          name={`${place}.minutes`}
          value={free.minutes}
          onChange={(minutes) => onChange({ ...free, minutes })}
        />
        <ChoiceField
          label={EDITOR.freeWhen}
          value={when}
          choices={[
            ['fits', EDITOR.freeWhens.fits],
            ['always', EDITOR.freeWhens.always],
          ]}
          onChange={(changed) => onChange({ ...free, when: changed })}
        />
        <ChoiceField
          label={EDITOR.freePer}
          value={per}
          choices={[
            ['visit', EDITOR.freePers.visit],
            ['plate-24h', EDITOR.freePers['plate-24h']],
            ['plate-day', EDITOR.freePers['plate-day']],
          ]}
          onChange={(changed) =>
            onChange({ ...free, per: changed, again: changed === 'visit' ? undefined : free.again })
          }
        />
        {per !== 'visit' && (
          <ChoiceField
            label={EDITOR.freeAgain}
            value={again}
            choices={[
              ['nothing', EDITOR.freeAgains.nothing],
              ['rest', EDITOR.freeAgains.rest],
            ]}
            onChange={(changed) => onChange({ ...free, again: changed })}
          />
        )}
      </div>
      <PlaceNote place={`${place}.again`} />
    </>
  );
}
