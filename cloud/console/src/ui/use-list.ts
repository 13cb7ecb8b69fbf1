import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type HeldTop, nextTop } from './held-top.ts';

/** A page of a list, as every list of the cloud comes. */
export interface ListPage<T> {
  next: string | null;
  total: number;
  extra: { totalIs: 'exact' | 'at-least' };
  data: T[];
}

export interface List<T> {
  rows: readonly T[];
  total: number;
  isTotalExact: boolean;
  /** Rows that came since and wait to be shown, so that nothing moves under the pointer. */
  waiting: number;
  showWaiting: () => void;
  /** The next list is shown at once, since the person has added a row. */
  showNext: () => void;
  hasMore: boolean;
  /** All of it is here, so that it can be sorted here. */
  isWhole: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** Undefined while the first page loads. */
  isReady: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * A list of the cloud, page by page, which follows its events.
 * @param key begins with the kind of thing (live/keys-of-event.ts), and holds all that `readPage` depends on
 */
export function useList<T>(
  key: readonly unknown[],
  idOf: (row: T) => string,
  readPage: (next: string | undefined) => Promise<ListPage<T>>,
): List<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const all = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const { rows, ...held } = useHeldRows(JSON.stringify(key), all, idOf, query.isPlaceholderData);
  const [first] = query.data?.pages ?? [];
  return {
    rows,
    ...held,
    total: first?.total ?? 0,
    isTotalExact: first?.extra.totalIs !== 'at-least',
    hasMore: query.hasNextPage,
    isWhole: query.data !== undefined && !query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    isReady: query.data !== undefined,
    error: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
  };
}

/** Rows that came in at the top wait until the person asks for them; rows that are shown change in place. */
function useHeldRows<T>(list: string, all: readonly T[], idOf: (row: T) => string, isOld: boolean) {
  const [held, setHeld] = useState<HeldTop>({ list: '', top: null });
  const ids = all.map(idOf);
  const shown = nextTop(held, { list, ids, isOld });
  if (shown !== held) setHeld(shown);
  const waiting = Math.max(0, ids.indexOf(shown.top ?? ''));
  const top = ids[0] ?? null;
  return {
    rows: all.slice(waiting),
    waiting,
    showWaiting: () => setHeld({ ...shown, top }),
    showNext: () => setHeld({ ...shown, until: top }),
  };
}
