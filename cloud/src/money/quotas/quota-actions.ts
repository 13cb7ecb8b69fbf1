import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { quotaGiftMistakes } from '../../people/auth/gifts.ts';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { QuotaRow } from '../../records/quotas/quota-store.ts';

export const QUOTA_ACTION_NAMES = ['edit', 'delete', 'reset'] as const;
export type QuotaAction = (typeof QUOTA_ACTION_NAMES)[number];

/** The facts that decide about the actions of a quota. */
export interface QuotaFacts extends Pick<QuotaRow, 'total' | 'used'> {
  caller: Caller;
  /** The site of its product; null: every site. */
  siteId: string | null;
}

/** The actions of a quota. The commands refuse by these rules. */
export const QUOTA_ACTIONS = {
  edit: { route: 'PUT /quotas/:id', refuse: refuseGiver },
  delete: { route: 'DELETE /quotas/:id', refuse: refuseGiver },
  reset: {
    route: 'POST /quotas/:id/reset',
    refuse: ({ total, used, ...giver }: QuotaFacts) =>
      refuseGiver(giver) ?? (total === used ? ('nothing-to-do' as const) : null),
  },
} satisfies ActionRules<QuotaAction, QuotaFacts>;

export const QuotaActionsSchema = actionsSchema(QUOTA_ACTION_NAMES, QUOTA_ACTIONS);

/** A caller with less than the rights to give a quota could not give it again. */
function refuseGiver({ caller, siteId }: Pick<QuotaFacts, 'caller' | 'siteId'>): Mistake | null {
  return quotaGiftMistakes(caller, siteId)[0] ?? null;
}
