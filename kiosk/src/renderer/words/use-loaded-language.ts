import { LANGUAGES, type Language } from '@hlid/protocol/language';
import { useEffect, useState } from 'react';
import { hasWords, loadWordsSurely } from './words.ts';

/**
 * The language to show: the wanted one, as soon as its words are loaded. All others load after it, so that a kiosk whose
 * edge does not answer can still change its language.
 */
export function useLoadedLanguage(wanted: Language): Language {
  const [shown, show] = useState(wanted);
  useEffect(() => {
    const ending = new AbortController();
    const load = async () => {
      await loadWordsSurely(wanted, ending.signal);
      if (!ending.signal.aborted) show(wanted);
      for (const language of LANGUAGES) await loadWordsSurely(language, ending.signal);
    };
    void load();
    return () => ending.abort();
  }, [wanted]);
  return hasWords(wanted) ? wanted : shown;
}
