import type { Language } from '../../base/language.ts';
import { type Texts, type Translation, textsOf } from '../../base/texts.ts';
import { PRICE_DA } from './da.ts';
import { PRICE_DE } from './de.ts';
import { PRICE_EN } from './en.ts';
import { PRICE_ES } from './es.ts';
import { PRICE_FR } from './fr.ts';
import { PRICE_IS } from './is.ts';
import { PRICE_PL } from './pl.ts';

export type PriceTexts = Texts<typeof PRICE_EN>;

const FILES: Record<Language, Translation<typeof PRICE_EN>> = {
  is: PRICE_IS,
  en: PRICE_EN,
  pl: PRICE_PL,
  de: PRICE_DE,
  fr: PRICE_FR,
  es: PRICE_ES,
  da: PRICE_DA,
};

const loaded = new Map<Language, PriceTexts>();

/** For programs, which have all languages. A page has the file of its own among its texts. */
export function priceTexts(language: Language): PriceTexts {
  const texts = loaded.get(language) ?? textsOf<typeof PRICE_EN>(FILES[language], language);
  loaded.set(language, texts);
  return texts;
}

/** The language of a price, with its texts. */
export function priceLanguage(language: Language): { language: Language; words: PriceTexts } {
  return { language, words: priceTexts(language) };
}
