import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { ApprovalRow } from '../../records/approvals/approval-table.ts';

export const APPROVAL_ACTION_NAMES = ['approve', 'refuse', 'withdraw'] as const;
export type ApprovalAction = (typeof APPROVAL_ACTION_NAMES)[number];

/** The facts that decide about the actions of a request. */
export interface ApprovalFacts extends Pick<ApprovalRow, 'state' | 'expiresAt'> {
  /** The caller made it. */
  isOwn: boolean;
  at: UtcTime;
}

/** The actions of a request for approval, and when each is possible. The commands refuse by these rules. */
export const APPROVAL_ACTIONS = {
  approve: { route: 'POST /approval/:id/approve', refuse: refuseDecision },
  refuse: { route: 'POST /approval/:id/refuse', refuse: refuseDecision },
  withdraw: {
    route: 'POST /approval/:id/withdraw',
    refuse: (facts: ApprovalFacts) =>
      refuseOver(facts) ?? (facts.isOwn ? null : mistake('approval-of-another')),
  },
} satisfies ActionRules<ApprovalAction, ApprovalFacts>;

export const ApprovalActionsSchema = actionsSchema(APPROVAL_ACTION_NAMES, APPROVAL_ACTIONS);

function refuseDecision(facts: ApprovalFacts) {
  return refuseOver(facts) ?? (facts.isOwn ? mistake('approval-own') : null);
}

function refuseOver({ state, expiresAt, at }: ApprovalFacts) {
  if (state !== 'waiting') return mistake('approval-over', [], { state });
  return expiresAt <= at ? mistake('approval-over', [], { state: 'expired' }) : null;
}
