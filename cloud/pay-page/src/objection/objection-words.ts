import type { Language } from '@hlid/protocol/base/language';
import type { Texts } from '@hlid/protocol/base/texts';
import { Dictionary } from '@hlid/ui/dictionary';
import type { OBJECTION_EN } from './words/en.ts';

/** They are beside the words of the other pages: who pays never reads them. */
export const OBJECTION_WORDS = new Dictionary<Language, typeof OBJECTION_EN>({
  is: async () => (await import('./words/is.ts')).OBJECTION_IS,
  en: async () => (await import('./words/en.ts')).OBJECTION_EN,
  pl: async () => (await import('./words/pl.ts')).OBJECTION_PL,
  de: async () => (await import('./words/de.ts')).OBJECTION_DE,
  fr: async () => (await import('./words/fr.ts')).OBJECTION_FR,
  es: async () => (await import('./words/es.ts')).OBJECTION_ES,
  da: async () => (await import('./words/da.ts')).OBJECTION_DA,
});

export type ObjectionWords = Texts<typeof OBJECTION_EN>;
