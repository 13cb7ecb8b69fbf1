import type { MatchProposal as CloudProposal } from '@hlid/cloud/stays/matching/proposal';
import type { proposalRoutes } from '@hlid/cloud/stays/matching/proposal-routes';
import { queryOptions } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';

export type MatchProposal = CloudProposal;
export type JudgeProposal = 'accept' | 'reject' | 'undo';

const { proposals } = apiOf<typeof proposalRoutes>().matching;

/** The newest pairs that were settled without a person. */
export function settledProposalsQuery(filter: { siteId?: string }) {
  const query = { ...filter, state: 'settled' as const };
  return queryOptions({
    queryKey: ['review', 'matches', 'settled', filter],
    queryFn: () => read(proposals.$get({ query })),
  });
}

export async function judgeProposal(
  id: string,
  act: JudgeProposal,
  headers: Record<string, string>,
): Promise<MatchProposal> {
  const called = { param: { id } };
  const one = proposals[':id'];
  switch (act) {
    case 'accept':
      return await read(one.accept.$post(called, { headers }));
    case 'reject':
      return await read(one.reject.$post(called, { headers }));
    case 'undo':
      return await read(one.undo.$post(called, { headers }));
    default:
      return act satisfies never;
  }
}
