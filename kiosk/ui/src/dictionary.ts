import { useEffect, useState } from 'react';

const RETRY_MS = 1500;

/**
 * The texts of a page in its languages. Each language is a file of its own: a page starts with one. Where a text is
 * missing in a language, the page does not compile.
 */
export class Dictionary<Language extends string, Words> {
  readonly #files: Readonly<Record<Language, () => Promise<Words>>>;
  readonly #loaded = new Map<Language, Words>();

  constructor(files: Readonly<Record<Language, () => Promise<Words>>>) {
    this.#files = files;
  }

  /** Rejects where the server does not answer. */
  async load(language: Language): Promise<void> {
    if (!this.#loaded.has(language)) this.#loaded.set(language, await this.#files[language]());
  }

  /** Retries until the words are there or the signal is aborted. */
  async loadSurely(language: Language, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      try {
        return await this.load(language);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  has(language: Language): boolean {
    return this.#loaded.has(language);
  }

  /** Words of a language that is loaded. */
  wordsOf(language: Language): Words {
    const words = this.#loaded.get(language);
    if (!words) throw new Error(`The words of ${language} are not loaded.`);
    return words;
  }
}

const NONE: readonly never[] = [];

/**
 * The language to show: the wanted one, as soon as its words are loaded, and until then the one before it. Loads `others`
 * after it: a page whose server does not answer later can still change its language to one of those.
 */
export function useLoadedLanguage<Language extends string, Words>(
  dictionary: Dictionary<Language, Words>,
  wanted: Language,
  others: readonly Language[] = NONE,
): Language {
  const [shown, show] = useState(wanted);
  useEffect(() => {
    const ending = new AbortController();
    const load = async () => {
      await dictionary.loadSurely(wanted, ending.signal);
      if (!ending.signal.aborted) show(wanted);
      for (const language of others) await dictionary.loadSurely(language, ending.signal);
    };
    void load();
    return () => ending.abort();
  }, [dictionary, wanted, others]);
  return dictionary.has(wanted) ? wanted : shown;
}
