import type { callRoutes } from '@hlid/cloud/calls/call-routes';
import type { reviewRoutes } from '@hlid/cloud/review/review-routes';
import type { ReviewSummary as Summary } from '@hlid/cloud/review/review-summary';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../calls/api.ts';
import type { Room } from './rooms.ts';
import { useSiteFilter } from './site.ts';

export type ReviewSummary = Summary;

const reviewApi = apiOf<typeof reviewRoutes>();
const callApi = apiOf<typeof callRoutes>();

/** How review goes: for the room, and for its number in the menu. */
export function reviewSummaryQuery(filter: { siteId?: string }) {
  return queryOptions({
    queryKey: ['review', 'summary', filter],
    queryFn: () => read(reviewApi.review.summary.$get({ query: filter })),
  });
}

/** Numbers beside the names of rooms in the menu: how many wait there for a person. */
export const BADGES: Partial<Record<Room['key'], () => number>> = {
  now: useRingingCalls,
  review: useWaitingPictures,
};

function useWaitingPictures(): number {
  return useQuery(reviewSummaryQuery(useSiteFilter())).data?.waiting ?? 0;
}

function useRingingCalls(): number {
  const query = useSiteFilter();
  const { data } = useQuery({
    queryKey: ['calls', 'ringing', query],
    queryFn: () => read(callApi.calls.$get({ query })),
  });
  return data?.data.filter(({ state }) => state === 'ringing').length ?? 0;
}
