import type { Language } from '@hlid/protocol/language';
import { useEffect, useState } from 'react';
import { writeLanguage } from '../unfinished.ts';
import { loadWords } from './words.ts';

/** The language to show: the chosen one as soon as its words are there. */
export function useLoadedLanguage(wanted: Language): Language {
  const [shown, show] = useState(wanted);
  useEffect(() => {
    let isWanted = true;
    // Without a line the page stays in the language that it has.
    void loadWords(wanted)
      .then(() => isWanted && show(wanted))
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  return shown;
}

/** Marks the page with its language and title, and stores the language for the next visit. */
export function usePageLanguage(language: Language, title: string): void {
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = title;
    writeLanguage(language);
  }, [language, title]);
}
