import type { approvalRoutes } from '@hlid/cloud/paying/approvals/approval-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import type { callRoutes } from '@hlid/cloud/sites/calls/call-routes';
import type { proposalRoutes } from '@hlid/cloud/stays/matching/proposal-routes';
import type { reviewRoutes } from '@hlid/cloud/stays/review/review-routes';
import type { ReviewSummary as Summary } from '@hlid/cloud/stays/review/review-summary';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../calls/api.ts';
import type { Room } from './rooms.ts';
import { useSession } from './session.ts';
import { useSiteFilter } from './site.ts';

export type ReviewSummary = Summary;

const reviewApi = apiOf<typeof reviewRoutes>();
const approvalApi = apiOf<typeof approvalRoutes>();
const disputeApi = apiOf<typeof disputeRoutes>();
const proposalApi = apiOf<typeof proposalRoutes>();
const callApi = apiOf<typeof callRoutes>();

/** How review goes: for the room, and for its number in the menu. */
export function reviewSummaryQuery(filter: { siteId?: string }) {
  return queryOptions({
    queryKey: ['review', 'summary', filter],
    queryFn: () => read(reviewApi.review.summary.$get({ query: filter })),
  });
}

/** The open disputes: for its tabs, and for the number in the menu. */
export function openDisputesQuery(filter: { siteId?: string }) {
  const query = { ...filter, state: 'open' as const };
  return queryOptions({
    queryKey: ['disputes', 'open', filter],
    queryFn: () => read(disputeApi.disputes.$get({ query })),
  });
}

/** The pairs of a visit and an exit that wait for a person: for its tab, and for the number in the menu. */
export function openProposalsQuery(filter: { siteId?: string }) {
  const query = { ...filter, state: 'open' as const };
  return queryOptions({
    queryKey: ['review', 'matches', 'open', filter],
    queryFn: () => read(proposalApi.matching.proposals.$get({ query })),
    // What the run proposes is no event.
    refetchInterval: MINUTE_MS,
  });
}

/** Numbers beside the names of rooms in the menu: how many wait there for a person. */
export const BADGES: Partial<Record<Room['key'], () => number>> = {
  now: useRingingCalls,
  review: useReviewWork,
  approvals: useWaitingApprovals,
};

/** Pictures that need a person, missed exits that may be paired, and stays and invoices that are contested. */
function useReviewWork(): number {
  const site = useSiteFilter();
  const pictures = useQuery(reviewSummaryQuery(site)).data?.waiting ?? 0;
  const disputes = useQuery(openDisputesQuery(site)).data?.total ?? 0;
  const seesVisits = useSession().permissions.includes('visits');
  const pairs = useQuery({ ...openProposalsQuery(site), enabled: seesVisits }).data?.total ?? 0;
  return pictures + pairs + disputes;
}

/** Requests that the person can decide. */
function useWaitingApprovals(): number {
  const query = { ...useSiteFilter(), state: 'waiting' as const };
  const { data } = useQuery({
    queryKey: ['approvals', 'waiting', query],
    queryFn: () => read(approvalApi.approvals.$get({ query })),
    // Accounts without the permission for money get no events of them.
    refetchInterval: MINUTE_MS,
  });
  return data?.data.filter(({ isOwn }) => !isOwn).length ?? 0;
}

function useRingingCalls(): number {
  const query = useSiteFilter();
  const { data } = useQuery({
    queryKey: ['calls', 'ringing', query],
    queryFn: () => read(callApi.calls.$get({ query })),
  });
  return data?.data.filter(({ state }) => state === 'ringing').length ?? 0;
}
