import type { Language } from '@hlid/protocol/language';
import type { Words } from './en.ts';

/** Each language is a file of its own: a kiosk starts with one, and loads the others once it is ready for drivers. */
const FILES: Record<Language, () => Promise<Words>> = {
  is: async () => (await import('./is.ts')).IS,
  en: async () => (await import('./en.ts')).EN,
  pl: async () => (await import('./pl.ts')).PL,
  de: async () => (await import('./de.ts')).DE,
  fr: async () => (await import('./fr.ts')).FR,
  es: async () => (await import('./es.ts')).ES,
  da: async () => (await import('./da.ts')).DA,
};

const RETRY_MS = 1500;

const loaded = new Map<Language, Words>();

/** Rejects where the edge does not answer. */
export async function loadWords(language: Language): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, await FILES[language]());
}

/** Retries until the words are there or the signal is aborted. */
export async function loadWordsSurely(language: Language, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    try {
      return await loadWords(language);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export function hasWords(language: Language): boolean {
  return loaded.has(language);
}

/** Words of a language that is loaded. */
export function wordsOf(language: Language): Words {
  const words = loaded.get(language);
  if (!words) throw new Error(`The words of ${language} are not loaded.`);
  return words;
}
