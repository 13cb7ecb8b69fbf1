import type { Language } from '../../base/language.ts';
import { type Texts, textsByLanguage } from '../../base/texts.ts';
import { ELECTRONIC_ID_DA } from './da.ts';
import { ELECTRONIC_ID_DE } from './de.ts';
import { ELECTRONIC_ID_EN } from './en.ts';
import { ELECTRONIC_ID_ES } from './es.ts';
import { ELECTRONIC_ID_FR } from './fr.ts';
import { ELECTRONIC_ID_IS } from './is.ts';
import { ELECTRONIC_ID_PL } from './pl.ts';

export type ElectronicIdWords = Texts<typeof ELECTRONIC_ID_EN>;

/** The texts for programs. A page has the file of its own language among its texts. */
export const ELECTRONIC_ID_WORDS = textsByLanguage<Language, typeof ELECTRONIC_ID_EN>({
  is: ELECTRONIC_ID_IS,
  en: ELECTRONIC_ID_EN,
  pl: ELECTRONIC_ID_PL,
  de: ELECTRONIC_ID_DE,
  fr: ELECTRONIC_ID_FR,
  es: ELECTRONIC_ID_ES,
  da: ELECTRONIC_ID_DA,
});
