import { TextField } from '../../../ui/field.tsx';
import type { LabelDraft } from './tariff-draft.ts';
import { EDITOR } from './tariff-words.ts';

const LANGUAGES = ['is', 'en'] as const;

/** The name of a part of a tariff, as drivers read it. Names in other languages stay as they are. */
export function LabelFields({
  label = {},
  place,
  onChange,
}: {
  label: LabelDraft | undefined;
  place: string;
  onChange: (label: LabelDraft | undefined) => void;
}) {
  const change = (language: string, text: string) => {
    const { [language]: _before, ...rest } = label;
    const next = text === '' ? rest : { ...rest, [language]: text };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <div className="row">
      {LANGUAGES.map((language) => (
        <TextField
          key={language}
          label={EDITOR.nameIn[language]}
          name={`${place}.${language}`}
          maxLength={100}
          autoComplete="off"
          value={label[language] ?? ''}
          onChange={(text) => change(language, text)}
        />
      ))}
    </div>
  );
}
