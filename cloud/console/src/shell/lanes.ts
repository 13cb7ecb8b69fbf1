import { useEffect } from 'react';
import { type KnownLane, useKnownLanes } from '../live/known-lanes.ts';
import { useLive } from '../live/live-context.tsx';
import { can, useSession } from './session.ts';

/** The board of each site that is asked for makes the stream larger: this many at once. */
const MAX_ASKED = 20;

/** The lanes of these sites by site, as soon as their boards have named them; for those who may watch lanes. */
export function useLanes(siteIds: readonly string[]): ReadonlyMap<string, readonly KnownLane[]> {
  const { showBoards } = useLive();
  const known = useKnownLanes();
  const maySee = can(useSession(), 'see-lanes');
  const missing = maySee ? siteIds.filter((id) => !known.has(id)).slice(0, MAX_ASKED) : [];
  const ids = missing.join();
  useEffect(() => {
    if (ids === '') return;
    // The boards are noted as they come; here they are only asked for.
    return showBoards(ids.split(','), () => {});
  }, [ids, showBoards]);
  return known;
}

/** The name of a lane of a site. */
export function useLaneName(siteId: string | null): (laneId: string) => string {
  const lanes = useLanes(siteId === null ? [] : [siteId]);
  return (laneId) => lanes.get(siteId ?? '')?.find(({ id }) => id === laneId)?.name ?? laneId;
}
