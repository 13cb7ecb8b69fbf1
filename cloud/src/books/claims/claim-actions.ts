import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { ClaimRow } from '../../records/books/claim-table.ts';

export const CLAIM_ACTION_NAMES = ['change', 'cancel', 'follow'] as const;
export type ClaimAction = (typeof CLAIM_ACTION_NAMES)[number];

/** The fields that decide about the actions of a claim. */
export type ClaimFacts = Pick<ClaimRow, 'state' | 'order' | 'step' | 'attempts'>;

/** The actions of a claim, each with its condition. The commands refuse by these rules. */
export const CLAIM_ACTIONS = {
  change: {
    route: 'PUT /claim/:id',
    refuse: (claim: ClaimFacts) => refuseState(claim) ?? refuseOrder(claim),
  },
  cancel: {
    route: 'POST /claim/:id/cancel',
    refuse: (claim: ClaimFacts) => refuseState(claim) ?? (isUnsent(claim) ? null : refuseOrder(claim)),
  },
  follow: {
    route: 'POST /claim/:id/follow',
    refuse: ({ state }: ClaimFacts) => (state === 'refused' ? mistake('claim-ended') : null),
  },
} satisfies ActionRules<ClaimAction, ClaimFacts>;

export const ClaimActionsSchema = actionsSchema(CLAIM_ACTION_NAMES, CLAIM_ACTIONS);

/** Whether the bank certainly has nothing of it. */
export function isUnsent({ state, order, step, attempts }: ClaimFacts): boolean {
  return state === 'new' && order === 'create' && step === 'waiting' && attempts === 0;
}

function refuseState({ state }: ClaimFacts): Mistake | null {
  switch (state) {
    case 'paid':
      return mistake('claim-paid');
    case 'cancelled':
    case 'refused':
      return mistake('claim-ended');
    case 'new':
    case 'unpaid':
      return null;
    default:
      return state satisfies never;
  }
}

function refuseOrder({ order }: ClaimFacts): Mistake | null {
  return order === null ? null : mistake('claim-order-under-way');
}
