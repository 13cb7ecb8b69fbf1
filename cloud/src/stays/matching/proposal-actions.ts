import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { ProposalRow } from '../../records/matching/match-table.ts';

export const PROPOSAL_ACTION_NAMES = ['accept', 'reject', 'undo'] as const;
type ProposalAction = (typeof PROPOSAL_ACTION_NAMES)[number];

/** The actions of a proposed pair, each with its condition. The commands refuse by these rules. */
export const PROPOSAL_ACTIONS = {
  accept: { route: 'POST /matching/proposals/:id/accept', refuse: refuseJudgement },
  reject: { route: 'POST /matching/proposals/:id/reject', refuse: refuseJudgement },
  undo: {
    route: 'POST /matching/proposals/:id/undo',
    refuse: ({ state }: Pick<ProposalRow, 'state'>) =>
      state === 'open' || state === 'undone' ? mistake('proposal-not-judged') : null,
  },
} satisfies ActionRules<ProposalAction, Pick<ProposalRow, 'state'>>;

export const ProposalActionsSchema = actionsSchema(PROPOSAL_ACTION_NAMES, PROPOSAL_ACTIONS);

function refuseJudgement({ state }: Pick<ProposalRow, 'state'>): Mistake | null {
  return state === 'open' ? null : mistake('proposal-judged');
}
