import { useEffect, useState } from 'react';
import { useLive } from '../../live/live-context.tsx';
import { afterLoss, nextBoard, type ShownBoard } from './shown-board.ts';

/** The boards of these sites as they come. */
export function useBoards(siteIds: readonly string[]): ReadonlyMap<string, ShownBoard> {
  const { state, showBoards } = useLive();
  const [boards, setBoards] = useState<ReadonlyMap<string, ShownBoard>>(new Map());
  const ids = siteIds.join();
  useEffect(
    () =>
      showBoards(ids === '' ? [] : ids.split(','), (view) =>
        setBoards((all) => new Map(all).set(view.siteId, nextBoard(all.get(view.siteId), view, Date.now()))),
      ),
    [ids, showBoards],
  );
  useEffect(() => {
    if (state.isConnected) return;
    setBoards((all) => new Map([...all].map(([id, shown]) => [id, afterLoss(shown)])));
  }, [state.isConnected]);
  return boards;
}

/** The time, to a second. */
export function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, []);
  return now;
}
