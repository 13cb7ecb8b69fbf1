import type { SearchResult, VisitHit } from '@hlid/cloud/stays/search/search';
import type { searchRoutes } from '@hlid/cloud/stays/search/search-routes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { purposeHeaders } from './purpose.ts';

export type Found = SearchResult;
export type FoundVisit = VisitHit;

const api = apiOf<typeof searchRoutes>();

/** A pause this long ends a word. Results must be there within 250 ms of the last key. */
const PAUSE_MS = 80;

/** The results of the cloud for a text while it is typed. A call that a newer text replaces is aborted. */
export function useFind(typed: string, siteId: string | null) {
  const text = useAfterPause(typed.trim());
  const query = { q: text, ...(siteId !== null && { siteId }) };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['find', query],
    queryFn: ({ signal }) =>
      read(api.search.$get({ query }, { headers: purposeHeaders(), init: { signal } })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  return {
    found: text === '' || !data ? null : data,
    error: text === '' ? null : error,
    /** The results are of another text than the one in the field. */
    isOld: isFetching || isPlaceholderData || text !== typed.trim(),
  };
}

function useAfterPause(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
