import type { Language } from '../../base/language.ts';
import { TRAINING_DOCUMENT_DA } from './da.ts';
import { TRAINING_DOCUMENT_DE } from './de.ts';
import { TRAINING_DOCUMENT_EN } from './en.ts';
import { TRAINING_DOCUMENT_ES } from './es.ts';
import { TRAINING_DOCUMENT_FR } from './fr.ts';
import { TRAINING_DOCUMENT_IS } from './is.ts';
import { TRAINING_DOCUMENT_PL } from './pl.ts';

/** The text on every document and mail of a simulated car park: it is of no account in any book. */
export const TRAINING_DOCUMENT: Readonly<Record<Language, string>> = {
  is: TRAINING_DOCUMENT_IS,
  en: TRAINING_DOCUMENT_EN,
  da: TRAINING_DOCUMENT_DA,
  de: TRAINING_DOCUMENT_DE,
  es: TRAINING_DOCUMENT_ES,
  fr: TRAINING_DOCUMENT_FR,
  pl: TRAINING_DOCUMENT_PL,
};
