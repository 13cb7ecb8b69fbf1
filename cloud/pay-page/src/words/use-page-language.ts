import type { Language } from '@hlid/protocol/base/language';
import { useEffect } from 'react';
import { writeLanguage } from '../unfinished.ts';

/** Marks the page with its language and title, and stores the language for the next visit. */
export function usePageLanguage(language: Language, title: string): void {
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = title;
    writeLanguage(language);
  }, [language, title]);
}
