import type { Language } from '../../base/language.ts';
import { type Texts, textsByLanguage } from '../../base/texts.ts';
import { PRICE_DA } from './da.ts';
import { PRICE_DE } from './de.ts';
import { PRICE_EN } from './en.ts';
import { PRICE_ES } from './es.ts';
import { PRICE_FR } from './fr.ts';
import { PRICE_IS } from './is.ts';
import { PRICE_PL } from './pl.ts';

export type PriceTexts = Texts<typeof PRICE_EN>;

/** The texts for programs. A page has the file of its own language among its texts. */
const PRICE_TEXTS = textsByLanguage<Language, typeof PRICE_EN>({
  is: PRICE_IS,
  en: PRICE_EN,
  pl: PRICE_PL,
  de: PRICE_DE,
  fr: PRICE_FR,
  es: PRICE_ES,
  da: PRICE_DA,
});

export function priceTexts(language: Language): PriceTexts {
  return PRICE_TEXTS[language];
}

/** The language of a price, with its texts. */
export function priceLanguage(language: Language): { language: Language; words: PriceTexts } {
  return { language, words: priceTexts(language) };
}
