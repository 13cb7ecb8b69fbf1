import type { Language } from '../../base/language.ts';
import { type Texts, textsByLanguage } from '../../base/texts.ts';
import { BOARD_DA } from './da.ts';
import { BOARD_DE } from './de.ts';
import { BOARD_EN } from './en.ts';
import { BOARD_ES } from './es.ts';
import { BOARD_FR } from './fr.ts';
import { BOARD_IS } from './is.ts';
import { BOARD_PL } from './pl.ts';

export type BoardWords = Texts<typeof BOARD_EN>;

export const BOARD_WORDS = textsByLanguage<Language, typeof BOARD_EN>({
  is: BOARD_IS,
  en: BOARD_EN,
  pl: BOARD_PL,
  de: BOARD_DE,
  fr: BOARD_FR,
  es: BOARD_ES,
  da: BOARD_DA,
});
