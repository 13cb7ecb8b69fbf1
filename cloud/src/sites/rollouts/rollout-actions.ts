import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { RolloutRow, RolloutSiteRow } from '../../records/rollouts/rollout-table.ts';
import { canRetry, isOver } from './rollout-state.ts';

export const ROLLOUT_ACTION_NAMES = ['pause', 'resume', 'end'] as const;
export type RolloutAction = (typeof ROLLOUT_ACTION_NAMES)[number];

type Facts = Pick<RolloutRow, 'state'>;

/** The actions of a rollout, and when each is possible. The commands refuse by these rules. */
export const ROLLOUT_ACTIONS = {
  pause: {
    route: 'POST /rollouts/:id/pause',
    refuse: ({ state }: Facts) => (state === 'paused' ? ('nothing-to-do' as const) : refuseOver({ state })),
  },
  resume: {
    route: 'POST /rollouts/:id/resume',
    refuse: ({ state }: Facts) => (state === 'running' ? ('nothing-to-do' as const) : refuseOver({ state })),
  },
  end: { route: 'POST /rollouts/:id/end', refuse: refuseOver },
} satisfies ActionRules<RolloutAction, Facts>;

export const RolloutActionsSchema = actionsSchema(ROLLOUT_ACTION_NAMES, ROLLOUT_ACTIONS);

export function refuseOver({ state }: Facts): Mistake | null {
  return isOver(state) ? mistake('rollout-over') : null;
}

export const ROLLOUT_SITE_ACTION_NAMES = ['retry'] as const;
export type RolloutSiteAction = (typeof ROLLOUT_SITE_ACTION_NAMES)[number];

/** The actions of a site of a rollout. */
export const ROLLOUT_SITE_ACTIONS = {
  retry: {
    route: 'POST /rollouts/:id/retry',
    refuse: ({ state, outcome }: Facts & Pick<RolloutSiteRow, 'outcome'>) =>
      refuseOver({ state }) ?? (canRetry(outcome) ? null : mistake('nothing-to-retry', 'siteId')),
  },
} satisfies ActionRules<RolloutSiteAction, Facts & Pick<RolloutSiteRow, 'outcome'>>;

export const RolloutSiteActionsSchema = actionsSchema(ROLLOUT_SITE_ACTION_NAMES, ROLLOUT_SITE_ACTIONS);
