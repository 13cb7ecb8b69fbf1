import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { DayCloseRow } from '../../records/books/day-close-table.ts';

export const CLOSE_ACTION_NAMES = ['compute', 'decide', 'sign'] as const;
export type CloseAction = (typeof CLOSE_ACTION_NAMES)[number];

export interface CloseFacts extends Pick<DayCloseRow, 'state'> {
  /** The day is over where the site is. */
  isOver: boolean;
  differences: number;
  /** The differences that are not decided yet, or that another person is still to look into. */
  undecided: number;
}

/** What can be done with the close of a day, and when. The commands refuse by these rules. */
export const CLOSE_ACTIONS = {
  compute: { route: 'POST /day-closes', refuse: refuseSigned },
  decide: {
    route: 'POST /day-closes/:id/decisions',
    refuse: (facts: CloseFacts) =>
      refuseSigned(facts) ?? (facts.differences === 0 ? mistake('day-close-agrees') : null),
  },
  sign: {
    route: 'POST /day-closes/:id/sign',
    refuse(facts: CloseFacts) {
      const signed = refuseSigned(facts);
      if (signed !== null) return signed;
      if (!facts.isOver) return mistake('day-close-early');
      return facts.undecided > 0
        ? mistake('day-close-undecided', [], { differences: String(facts.undecided) })
        : null;
    },
  },
} satisfies ActionRules<CloseAction, CloseFacts>;

export const CloseActionsSchema = actionsSchema(CLOSE_ACTION_NAMES, CLOSE_ACTIONS);

function refuseSigned({ state }: CloseFacts) {
  return state === 'signed' ? mistake('day-close-signed') : null;
}
