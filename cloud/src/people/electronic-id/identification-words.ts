import type { Language } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { IDENTIFICATION_DA } from './words/da.ts';
import { IDENTIFICATION_DE } from './words/de.ts';
import { IDENTIFICATION_EN } from './words/en.ts';
import { IDENTIFICATION_ES } from './words/es.ts';
import { IDENTIFICATION_FR } from './words/fr.ts';
import { IDENTIFICATION_IS } from './words/is.ts';
import { IDENTIFICATION_PL } from './words/pl.ts';

export const IDENTIFICATION_WORDS = textsByLanguage<Language, typeof IDENTIFICATION_EN>({
  is: IDENTIFICATION_IS,
  en: IDENTIFICATION_EN,
  pl: IDENTIFICATION_PL,
  de: IDENTIFICATION_DE,
  fr: IDENTIFICATION_FR,
  es: IDENTIFICATION_ES,
  da: IDENTIFICATION_DA,
});
