import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { MoreMistakes } from '../../../ui/mistakes.tsx';
import { ClassesEditor } from './classes-editor.tsx';
import { TARIFF_PART } from './draft-parts.ts';
import { FindingsList } from './findings-list.tsx';
import { FreeFields } from './free-fields.tsx';
import { HolidaysFields } from './holidays-fields.tsx';
import { WarningsContext } from './place-note.tsx';
import { RatesFields } from './rates-fields.tsx';
import { RulesFields } from './rules-fields.tsx';
import type { TariffDraft } from './tariff-draft.ts';
import { TARIFF_KINDS, tariffOfKind } from './tariff-kinds.ts';
import { TariffSection } from './tariff-section.tsx';
import { EDITOR } from './tariff-words.ts';
import { byPlace, useTariffCheck } from './use-tariff-check.ts';
import './tariff-editor.css';

/** The place of a tariff in the product that is sent. */
const PLACE = 'config.tariff';

/**
 * The fields of a tariff, for people who write no JSON. What is typed is the tariff itself, so that JSON and fields show
 * the same, and nothing of a tariff is lost that the fields do not show.
 */
export function TariffEditor({
  draft,
  currency,
  onChange,
}: {
  /** Null: the product has no tariff. */
  draft: TariffDraft | null;
  currency: string;
  onChange: (draft: TariffDraft | null) => void;
}) {
  if (draft === null) return <TariffStart currency={currency} onChoose={onChange} />;
  return <TariffFields draft={draft} currency={currency} onChange={onChange} />;
}

/** A tariff begins as one of the usual kinds. */
function TariffStart({ currency, onChoose }: { currency: string; onChoose: (draft: TariffDraft) => void }) {
  return (
    <TariffSection title={EDITOR.start} hint={EDITOR.startHint}>
      <ul className="tariff-kinds">
        {TARIFF_KINDS.map((kind) => (
          <li key={kind}>
            <Button onPress={() => onChoose(tariffOfKind(kind, currency))}>{EDITOR.kinds[kind]}</Button>
            <span className="quiet-text">{EDITOR.kindHints[kind]}</span>
          </li>
        ))}
      </ul>
    </TariffSection>
  );
}

interface FieldsProps {
  draft: TariffDraft;
  currency: string;
  onChange: (draft: TariffDraft | null) => void;
}

function TariffFields({ draft, currency, onChange }: FieldsProps) {
  const findings = useTariffCheck(draft, PLACE, currency);
  return (
    <MoreMistakes sentences={byPlace(findings.mistakes)}>
      <WarningsContext value={byPlace(findings.warnings)}>
        <div className="tariff-editor">
          <FindingsList findings={findings} />
          <UnknownKeys draft={draft} />
          <RatesFields rates={draft} place={PLACE} currency={currency} onChange={onChange} />
          <FreeFields
            free={draft.free}
            place={`${PLACE}.free`}
            onChange={(free) => onChange({ ...draft, free })}
          />
          <ClassesEditor
            classes={draft.classes ?? []}
            place={`${PLACE}.classes`}
            currency={currency}
            onChange={(classes) => onChange({ ...draft, classes })}
          />
          <HolidaysFields
            holidays={draft.holidays ?? []}
            place={`${PLACE}.holidays`}
            onChange={(holidays) => onChange({ ...draft, holidays })}
          />
          <RulesFields draft={draft} place={PLACE} currency={currency} onChange={onChange} />
          <RemoveTariff onRemove={() => onChange(null)} />
        </div>
      </WarningsContext>
    </MoreMistakes>
  );
}

/** The keys of typed JSON that no field shows. They are kept; the cloud decides whether it accepts them. */
function UnknownKeys({ draft }: { draft: TariffDraft }) {
  const keys = [...new Set(TARIFF_PART.unknownKeys(draft))];
  if (keys.length === 0) return null;
  return <p className="notice caution">{EDITOR.notShown({ keys: keys.join(', ') })}</p>;
}

/** Two presses, since what was typed is gone then. */
function RemoveTariff({ onRemove }: { onRemove: () => void }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <div>
        <Button look="quiet" onPress={() => setAsking(true)}>
          {EDITOR.removeTariff}
        </Button>
      </div>
    );
  }
  return (
    <div className="row-acts">
      <span>{EDITOR.removeTariffHint}</span>
      <Button look="negative" onPress={onRemove}>
        {EDITOR.removeTariff}
      </Button>
      <Button onPress={() => setAsking(false)}>{EDITOR.keepTariff}</Button>
    </div>
  );
}
