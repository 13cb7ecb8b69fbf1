import type { Language } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { PAY_DA } from './words/da.ts';
import { PAY_DE } from './words/de.ts';
import { PAY_EN } from './words/en.ts';
import { PAY_ES } from './words/es.ts';
import { PAY_FR } from './words/fr.ts';
import { PAY_IS } from './words/is.ts';
import { PAY_PL } from './words/pl.ts';

export const PAY_WORDS = textsByLanguage<Language, typeof PAY_EN>({
  is: PAY_IS,
  en: PAY_EN,
  pl: PAY_PL,
  de: PAY_DE,
  fr: PAY_FR,
  es: PAY_ES,
  da: PAY_DA,
});
