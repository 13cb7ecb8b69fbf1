import { useEffect, useState } from 'react';
import { SEARCH_DEBOUNCE_MS } from './select-rules.ts';

export interface Option {
  value: string;
  text: string;
}

/** Asks a server for options. The signal is aborted where the answer is not needed any more. */
export type SearchOptions = (text: string, signal: AbortSignal) => Promise<readonly Option[]>;

export interface SearchWords {
  label: string;
  loading: string;
  none: string;
  failed: string;
}

export interface Search {
  text: string;
  setText: (text: string) => void;
  /** Null: the first ones are on their way. */
  found: readonly Option[] | null;
  failed: boolean;
}

/** Options of a server: the first ones when the list opens, those for a text after a pause in typing. */
export function useSearch(search: SearchOptions | undefined, open: boolean): Search {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Option[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!open) setText('');
    if (!search || !open) return;
    const ending = new AbortController();
    const load = async () => {
      const options = await search(text, ending.signal).catch(() => null);
      if (ending.signal.aborted) return;
      setFailed(options === null);
      if (options !== null) setFound(options);
    };
    const timer = setTimeout(load, text === '' ? 0 : SEARCH_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [search, open, text]);
  return { text, setText, found, failed };
}
