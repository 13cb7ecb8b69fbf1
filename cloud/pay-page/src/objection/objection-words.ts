import type { Language } from '@hlid/protocol/base/language';
import { type Texts, type Translation, textsOf } from '@hlid/protocol/base/texts';
import { OBJECTION_DA } from './words/objection-da.ts';
import { OBJECTION_DE } from './words/objection-de.ts';
import { OBJECTION_EN } from './words/objection-en.ts';
import { OBJECTION_ES } from './words/objection-es.ts';
import { OBJECTION_FR } from './words/objection-fr.ts';
import { OBJECTION_IS } from './words/objection-is.ts';
import { OBJECTION_PL } from './words/objection-pl.ts';

export type ObjectionWords = Texts<typeof OBJECTION_EN>;

/** They load with their page alone: who pays never reads them, and seven more files would cost every page their names. */
const FILES: Readonly<Record<Language, Translation<typeof OBJECTION_EN>>> = {
  is: OBJECTION_IS,
  en: OBJECTION_EN,
  pl: OBJECTION_PL,
  de: OBJECTION_DE,
  fr: OBJECTION_FR,
  es: OBJECTION_ES,
  da: OBJECTION_DA,
};

export function objectionWordsOf(language: Language): ObjectionWords {
  return textsOf<typeof OBJECTION_EN>(FILES[language], language);
}
