import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { LengthField } from './length-field.tsx';
import { MinorField } from './minor-field.tsx';
import { OptionalLength } from './optional-fields.tsx';
import { PlaceNote } from './place-note.tsx';
import { RowList } from './row-list.tsx';
import type { StepDraft } from './tariff-draft.ts';
import { EDITOR } from './tariff-words.ts';

const KINDS = ['each', 'flat', 'up-to'] as const;

/** The prices of a band in order, as a stay gets longer. */
export function StepsEditor({
  steps,
  place,
  currency,
  onChange,
}: {
  steps: readonly StepDraft[];
  place: string;
  currency: string;
  onChange: (steps: StepDraft[]) => void;
}) {
  return (
    <div className="steps">
      <h3>{EDITOR.prices}</h3>
      <PlaceNote place={place} />
      <RowList rows={steps} nameOf={(at) => EDITOR.step({ n: at + 1 })} onChange={onChange}>
        {(step, at, change) => (
          <StepFields step={step} place={`${place}.${at}`} currency={currency} onChange={change} />
        )}
      </RowList>
      <div>
        <Button look="quiet" onPress={() => onChange([...steps, stepAfter(steps.at(-1))])}>
          {EDITOR.addStep}
        </Button>
      </div>
    </div>
  );
}

function StepFields({
  step,
  place,
  currency,
  onChange,
}: {
  step: StepDraft;
  place: string;
  currency: string;
  onChange: (step: StepDraft) => void;
}) {
  return (
    <>
      <PlaceNote place={place} />
      <div className="row">
        <ChoiceField
          label={EDITOR.stepKind}
          value={step.kind}
          choices={KINDS.map((kind) => [kind, EDITOR.stepKinds[kind]] as const)}
          onChange={(kind) => onChange(stepOfKind(kind, step))}
        />
        <MinorField
          label={EDITOR.price}
          name={`${place}.priceMinor`}
          currency={currency}
          value={step.priceMinor}
          onChange={(priceMinor) => onChange({ ...step, priceMinor })}
        />
        {step.kind === 'each' && (
          <LengthField
            label={EDITOR.each}
            name={`${place}.everyMinutes`}
            value={step.everyMinutes}
            onChange={(everyMinutes) => onChange({ ...step, everyMinutes })}
          />
        )}
        {step.kind === 'up-to' ? (
          <LengthField
            label={EDITOR.upTo}
            name={`${place}.minutes`}
            value={step.minutes}
            onChange={(minutes) => onChange({ ...step, minutes })}
          />
        ) : (
          <OptionalLength
            label={EDITOR.lasts}
            without={step.kind === 'each' ? EDITOR.forTheRest : EDITOR.untilNextBand}
            name={`${place}.minutes`}
            value={step.minutes}
            first={60}
            onChange={(minutes) => onChange({ ...step, minutes })}
          />
        )}
      </div>
    </>
  );
}

/** The step that goes on after another one: the next line of a table, or a price for each hour. */
function stepAfter(step: StepDraft | undefined): StepDraft {
  if (step?.kind !== 'up-to') return { kind: 'each', priceMinor: null, everyMinutes: 60 };
  return { kind: 'up-to', priceMinor: null, minutes: step.minutes === null ? null : step.minutes * 2 };
}

/** Fields that both kinds have keep their values. */
function stepOfKind(kind: StepDraft['kind'], { priceMinor, ...step }: StepDraft): StepDraft {
  const { minutes } = step;
  switch (kind) {
    case 'each':
      return { kind, priceMinor, everyMinutes: step.kind === 'each' ? step.everyMinutes : 60, minutes };
    case 'flat':
      return { kind, priceMinor, minutes };
    case 'up-to':
      return { kind, priceMinor, minutes: minutes ?? 60 };
    default:
      return kind satisfies never;
  }
}
