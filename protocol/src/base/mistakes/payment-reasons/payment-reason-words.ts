import type { Language } from '../../language.ts';
import { type Texts, textsByLanguage } from '../../texts.ts';
import { PAYMENT_REASONS_DA } from './da.ts';
import { PAYMENT_REASONS_DE } from './de.ts';
import { PAYMENT_REASONS_EN } from './en.ts';
import { PAYMENT_REASONS_ES } from './es.ts';
import { PAYMENT_REASONS_FR } from './fr.ts';
import { PAYMENT_REASONS_IS } from './is.ts';
import { PAYMENT_REASONS_PL } from './pl.ts';

export type PaymentReasonWords = Texts<typeof PAYMENT_REASONS_EN>;

/** The words for programs. A page has the file of its own language among its texts. */
export const PAYMENT_REASON_WORDS = textsByLanguage<Language, typeof PAYMENT_REASONS_EN>({
  is: PAYMENT_REASONS_IS,
  en: PAYMENT_REASONS_EN,
  pl: PAYMENT_REASONS_PL,
  de: PAYMENT_REASONS_DE,
  fr: PAYMENT_REASONS_FR,
  es: PAYMENT_REASONS_ES,
  da: PAYMENT_REASONS_DA,
});
