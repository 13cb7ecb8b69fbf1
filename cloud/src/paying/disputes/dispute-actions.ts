import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { DisputeRow } from '../../records/disputes/dispute-table.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { VISIT_ACTIONS } from '../../stays/visits/visit-actions.ts';

export const DISPUTE_ACTION_NAMES = ['answer', 'void', 'edit', 'message', 'withdraw'] as const;
export type DisputeAction = (typeof DISPUTE_ACTION_NAMES)[number];

/** What decides about the actions of a dispute. */
export interface DisputeFacts extends Pick<DisputeRow, 'state'> {
  /** Null: an invoice is contested, or the visit is gone. */
  visitStatus: VisitRow['status'] | null;
}

const ANSWER = 'POST /dispute/:id/answer';

/** What can be done with a dispute, and when. `void`: the answer voids the visit, too. */
export const DISPUTE_ACTIONS = {
  answer: { route: ANSWER, refuse: refuseAnswer },
  void: {
    route: ANSWER,
    refuse: ({ state, visitStatus }: DisputeFacts) => {
      if (visitStatus === null) return mistake('void-upheld-visit', 'void');
      return refuseAnswer({ state }) ?? VISIT_ACTIONS.void.refuse({ status: visitStatus });
    },
  },
  edit: { route: 'PUT /dispute/:id', refuse: refuseAnswer },
  message: { route: 'POST /dispute/:id/messages', refuse: refuseAnswer },
  withdraw: { route: 'POST /dispute/:id/withdraw', refuse: refuseAnswer },
} satisfies ActionRules<DisputeAction, DisputeFacts>;

export const DisputeActionsSchema = actionsSchema(DISPUTE_ACTION_NAMES, DISPUTE_ACTIONS);

function refuseAnswer({ state }: Pick<DisputeRow, 'state'>): Mistake | null {
  return state === 'open' ? null : mistake('dispute-answered');
}
