import type { Language } from '@hlid/protocol/base/language';
import { type Texts, type Translation, textsOf } from '@hlid/protocol/base/texts';
import { useEffect, useState } from 'react';

const RETRY_MS = 1500;

type Files<Known extends Language, English> = Readonly<Record<Known, () => Promise<Translation<English>>>>;

/** The texts of a page in its languages. Each language is a separate file: a page starts with one. */
export class Dictionary<Known extends Language, English> {
  readonly #files: Files<Known, English>;
  readonly #loaded = new Map<Known, Texts<English>>();

  /** @param files by language; `English` is the type of the English one */
  constructor(files: Files<Known, English>) {
    this.#files = files;
  }

  /** Rejects where the server does not answer. */
  async load(language: Known): Promise<void> {
    if (this.#loaded.has(language)) return;
    this.#loaded.set(language, textsOf<English>(await this.#files[language](), language));
  }

  /** Retries until the words are there or the signal is aborted. */
  async loadSurely(language: Known, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      try {
        return await this.load(language);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  has(language: Known): boolean {
    return this.#loaded.has(language);
  }

  /** Words of a language that is loaded. */
  wordsOf(language: Known): Texts<English> {
    const words = this.#loaded.get(language);
    if (!words) throw new Error(`The words of ${language} are not loaded.`);
    return words;
  }
}

const NONE: readonly never[] = [];

/**
 * The language to show: the chosen one, as soon as its words are loaded, and until then the one before it.
 * Loads `others` after it, so that a page can change its language to one of those when its server does not
 * answer.
 */
export function useLoadedLanguage<Known extends Language, English>(
  dictionary: Dictionary<Known, English>,
  wanted: Known,
  others: readonly Known[] = NONE,
): Known {
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
