import type { SiteBoardView } from '@hlid/cloud/integration/live/board-view';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../shell/session.ts';
import { keysOf } from './keys-of-event.ts';
import { noteLanes } from './known-lanes.ts';
import { type LiveChange, LiveFeed } from './live-feed.ts';
import { FIRST_STATE, type LiveState } from './live-state.ts';

interface Live {
  state: LiveState;
  /** Calls back for each event, until the function that it returns is called. */
  onChange(act: (change: LiveChange) => void): () => void;
  /** Calls back for each board of these sites, until the function that it returns is called. */
  showBoards(siteIds: readonly string[], act: (board: SiteBoardView) => void): () => void;
}

const LiveContext = createContext<Live | null>(null);

/** A part of the page that shows boards. */
interface BoardReader {
  siteIds: readonly string[];
  act: (board: SiteBoardView) => void;
}

/** Queries are read again at most this often, however many events come. */
const REFETCH_EVERY_MS = 250;

/** Holds the stream of events, and invalidates what is shown by its events. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  // Without a session there is no stream.
  const isOpen = useQuery(sessionQuery).data?.status === 'open';
  const [state, setState] = useState(FIRST_STATE);
  const changes = useRef(new Set<(change: LiveChange) => void>());
  const boards = useRef(new Set<BoardReader>());
  const liveFeed = useRef<LiveFeed | null>(null);

  useEffect(() => {
    if (!isOpen) return;
    const due = new Map<string, readonly unknown[]>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetch = () => {
      timer = undefined;
      for (const queryKey of due.values()) void queries.invalidateQueries({ queryKey });
      due.clear();
    };
    const feed = new LiveFeed({
      onChange(change) {
        for (const key of keysOf(change)) due.set(key.join(' '), key);
        timer ??= setTimeout(refetch, REFETCH_EVERY_MS);
        for (const act of changes.current) act(change);
      },
      onReset: () => void queries.invalidateQueries(),
      onState: setState,
      onRefused() {
        void queries.invalidateQueries({ queryKey: ['session'] });
        // A site in the request may no longer be visible to this person.
        void queries.invalidateQueries({ queryKey: ['sites'] });
      },
      onBoard(board) {
        noteLanes(board.siteId, board.board);
        for (const reader of boards.current) if (reader.siteIds.includes(board.siteId)) reader.act(board);
      },
    });
    liveFeed.current = feed;
    // Effects of what is inside come before this one.
    feed.showBoards(wanted(boards.current));
    feed.start();
    return () => {
      clearTimeout(timer);
      liveFeed.current = null;
      feed.stop();
    };
  }, [queries, isOpen]);

  const onChange = useCallback((act: (change: LiveChange) => void) => joined(changes.current, act), []);
  const showBoards = useCallback((siteIds: readonly string[], act: BoardReader['act']) => {
    const reader = { siteIds, act };
    boards.current.add(reader);
    liveFeed.current?.showBoards(wanted(boards.current));
    return () => {
      boards.current.delete(reader);
      liveFeed.current?.showBoards(wanted(boards.current));
    };
  }, []);
  const live: Live = { state, onChange, showBoards };
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** The sites with a board that any component of this page reads. */
function wanted(readers: ReadonlySet<BoardReader>): string[] {
  return [...new Set([...readers].flatMap(({ siteIds }) => siteIds))];
}

function joined<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => all.delete(one);
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('There is no LiveProvider above.');
  return live;
}
