import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import type { LabelDraft } from './tariff-draft.ts';
import { EDITOR } from './tariff-words.ts';

const USUAL: readonly string[] = ['is', 'en'];
const OTHERS: readonly string[] = LANGUAGES.filter((language) => !USUAL.includes(language));

/** The name of a part of a tariff, as drivers read it, in any language that a driver can choose. */
export function LabelFields({
  label = {},
  place,
  onChange,
}: {
  label: LabelDraft | undefined;
  place: string;
  onChange: (label: LabelDraft | undefined) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const named = Object.keys(label).filter((language) => !USUAL.includes(language));
  const others = isOpen ? [...new Set([...OTHERS, ...named])] : [];
  const change = (language: string, text: string) => {
    const { [language]: _before, ...rest } = label;
    const next = text === '' ? rest : { ...rest, [language]: text };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <>
      <div className="row">
        {[...USUAL, ...others].map((language) => (
          <TextField
            key={language}
            label={nameIn(language)}
            name={`${place}.${language}`}
            maxLength={100}
            autoComplete="off"
            value={label[language] ?? ''}
            onChange={(text) => change(language, text)}
          />
        ))}
      </div>
      {!isOpen && (
        <div>
          <Button look="quiet" onPress={() => setOpen(true)}>
            {EDITOR.moreNames({ n: named.length })}
          </Button>
        </div>
      )}
    </>
  );
}

function nameIn(code: string): string {
  if (code === 'is' || code === 'en') return EDITOR.nameIn[code];
  const language = LANGUAGES.find((one) => one === code);
  return EDITOR.nameInOther({ language: language === undefined ? code : LANGUAGE_NAMES[language] });
}
