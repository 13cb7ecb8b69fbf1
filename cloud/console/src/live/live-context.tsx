import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { keysOf } from './keys-of-event.ts';
import { type LiveChange, LiveFeed } from './live-feed.ts';
import { FIRST_STATE, type LiveState } from './live-state.ts';

interface Live {
  state: LiveState;
  /** Calls back for each event, until the function that it returns is called. */
  onChange(act: (change: LiveChange) => void): () => void;
  onNamed(act: (type: string, data: unknown) => void): () => void;
}

const LiveContext = createContext<Live | null>(null);

/** Queries are read again at most this often, however many events come. */
const REFETCH_EVERY_MS = 250;

/** Holds the stream of events, and makes what is shown old when an event says so. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [state, setState] = useState(FIRST_STATE);
  const changes = useRef(new Set<(change: LiveChange) => void>());
  const named = useRef(new Set<(type: string, data: unknown) => void>());

  useEffect(() => {
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
      onRefused: () => void queries.invalidateQueries({ queryKey: ['session'] }),
      onNamed: (type, data) => {
        for (const act of named.current) act(type, data);
      },
    });
    feed.start();
    return () => {
      clearTimeout(timer);
      feed.stop();
    };
  }, [queries]);

  const live: Live = {
    state,
    onChange: (act) => joined(changes.current, act),
    onNamed: (act) => joined(named.current, act),
  };
  return <LiveContext value={live}>{children}</LiveContext>;
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
