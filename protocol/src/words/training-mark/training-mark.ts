import type { Language } from '../../base/language.ts';
import { TRAINING_MARK_DA } from './da.ts';
import { TRAINING_MARK_DE } from './de.ts';
import { TRAINING_MARK_EN } from './en.ts';
import { TRAINING_MARK_ES } from './es.ts';
import { TRAINING_MARK_FR } from './fr.ts';
import { TRAINING_MARK_IS } from './is.ts';
import { TRAINING_MARK_PL } from './pl.ts';

/** The text over every screen of a simulated car park. A page has all of them: a mark waits for no file. */
export const TRAINING_MARK: Readonly<Record<Language, string>> = {
  is: TRAINING_MARK_IS,
  en: TRAINING_MARK_EN,
  da: TRAINING_MARK_DA,
  de: TRAINING_MARK_DE,
  es: TRAINING_MARK_ES,
  fr: TRAINING_MARK_FR,
  pl: TRAINING_MARK_PL,
};
