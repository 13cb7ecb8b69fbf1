import type { Language } from '@hlid/protocol/base/language';
import { textsByLanguage } from '@hlid/protocol/base/texts';
import { DRIVER_MAIL_DA } from './words/da.ts';
import { DRIVER_MAIL_DE } from './words/de.ts';
import { DRIVER_MAIL_EN } from './words/en.ts';
import { DRIVER_MAIL_ES } from './words/es.ts';
import { DRIVER_MAIL_FR } from './words/fr.ts';
import { DRIVER_MAIL_IS } from './words/is.ts';
import { DRIVER_MAIL_PL } from './words/pl.ts';

export const DRIVER_MAIL_WORDS = textsByLanguage<Language, typeof DRIVER_MAIL_EN>({
  is: DRIVER_MAIL_IS,
  en: DRIVER_MAIL_EN,
  pl: DRIVER_MAIL_PL,
  de: DRIVER_MAIL_DE,
  fr: DRIVER_MAIL_FR,
  es: DRIVER_MAIL_ES,
  da: DRIVER_MAIL_DA,
});
