import { type ActionRules, ALWAYS, actionsSchema } from '../../people/auth/record-actions.ts';

export const OVERRIDE_ACTION_NAMES = ['correct'] as const;
export type OverrideAction = (typeof OVERRIDE_ACTION_NAMES)[number];

/** The actions of the overrides of a vehicle. They hold at every site. */
export const OVERRIDE_ACTIONS = {
  correct: { route: 'POST /vehicle/:plate/override', refuse: ALWAYS },
} satisfies ActionRules<OverrideAction, object>;

export const OverrideActionsSchema = actionsSchema(OVERRIDE_ACTION_NAMES, OVERRIDE_ACTIONS);
