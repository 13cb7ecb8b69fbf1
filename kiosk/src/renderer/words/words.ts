import type { Language } from '@hlid/protocol/base/language';
import { Dictionary } from '@hlid/ui/dictionary';
import type { EN, Words } from './en.ts';

/** A kiosk starts with one language, and loads the others once it is ready for drivers. */
export const DICTIONARY = new Dictionary<Language, typeof EN>({
  is: async () => (await import('./is.ts')).IS,
  en: async () => (await import('./en.ts')).EN,
  pl: async () => (await import('./pl.ts')).PL,
  de: async () => (await import('./de.ts')).DE,
  fr: async () => (await import('./fr.ts')).FR,
  es: async () => (await import('./es.ts')).ES,
  da: async () => (await import('./da.ts')).DA,
});

/** Words of a language that is loaded. */
export const wordsOf = (language: Language): Words => DICTIONARY.wordsOf(language);
