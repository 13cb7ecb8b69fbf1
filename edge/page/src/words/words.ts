import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { LaneWords } from '@hlid/protocol/words/lanes/lane-texts';
import { Dictionary } from '@hlid/ui/dictionary';
import { createContext, useContext } from 'react';
import type { EN, Words } from './en.ts';

export const LANGUAGES: readonly OfficeLanguage[] = ['is', 'en'];
const STORED_AS = 'hlid.language';

export const DICTIONARY = new Dictionary<OfficeLanguage, typeof EN>({
  is: async () => (await import('./is.ts')).IS,
  en: async () => (await import('./en.ts')).EN,
});

/**
 * The first language: that of the address (`?lang=is`), what was chosen here before, what the browser
 * prefers, English.
 */
export function firstLanguage(): OfficeLanguage {
  const wanted = [
    new URLSearchParams(location.search).get('lang'),
    localStorage.getItem(STORED_AS),
    ...navigator.languages,
  ].map((tag) => tag?.slice(0, 2));
  return wanted.flatMap((one) => LANGUAGES.filter((known) => known === one))[0] ?? 'en';
}

export function storeLanguage(language: OfficeLanguage): void {
  localStorage.setItem(STORED_AS, language);
}

const WordsContext = createContext<Words | null>(null);
export const WordsProvider = WordsContext.Provider;

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error('There is no WordsProvider above.');
  return words;
}

/** The texts that the page shares with the console. */
export function laneWords(language: OfficeLanguage): LaneWords {
  const { lanes: texts, codes, status } = DICTIONARY.wordsOf(language);
  return { language, texts, codes, status };
}
