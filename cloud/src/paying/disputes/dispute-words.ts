import type { Language } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { DISPUTE_MAIL_DA } from './words/da.ts';
import { DISPUTE_MAIL_DE } from './words/de.ts';
import { DISPUTE_MAIL_EN } from './words/en.ts';
import { DISPUTE_MAIL_ES } from './words/es.ts';
import { DISPUTE_MAIL_FR } from './words/fr.ts';
import { DISPUTE_MAIL_IS } from './words/is.ts';
import { DISPUTE_MAIL_PL } from './words/pl.ts';

export const DISPUTE_MAIL_WORDS = textsByLanguage<Language, typeof DISPUTE_MAIL_EN>({
  is: DISPUTE_MAIL_IS,
  en: DISPUTE_MAIL_EN,
  pl: DISPUTE_MAIL_PL,
  de: DISPUTE_MAIL_DE,
  fr: DISPUTE_MAIL_FR,
  es: DISPUTE_MAIL_ES,
  da: DISPUTE_MAIL_DA,
});
