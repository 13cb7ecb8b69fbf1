import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, ALWAYS, actionsSchema } from '../../people/auth/record-actions.ts';

export const ZONE_ACTION_NAMES = ['edit', 'delete'] as const;
export type ZoneAction = (typeof ZONE_ACTION_NAMES)[number];

/** The actions of a zone. */
export const ZONE_ACTIONS = {
  edit: { route: 'PUT /zones/:id', refuse: ALWAYS },
  delete: { route: 'DELETE /zones/:id', refuse: ALWAYS },
} satisfies ActionRules<ZoneAction, object>;

export const ZoneActionsSchema = actionsSchema(ZONE_ACTION_NAMES, ZONE_ACTIONS);

export const OCCUPANCY_ACTION_NAMES = ['correct'] as const;
export type OccupancyAction = (typeof OCCUPANCY_ACTION_NAMES)[number];

/** The actions of the number of cars in a zone. The command refuses by this rule. */
export const OCCUPANCY_ACTIONS = {
  correct: {
    route: 'PUT /zones/:id/occupancy',
    refuse: ({ counted }: { counted: number | null }) =>
      counted === null ? mistake('lanes-not-known', 'inside') : null,
  },
} satisfies ActionRules<OccupancyAction, { counted: number | null }>;

export const OccupancyActionsSchema = actionsSchema(OCCUPANCY_ACTION_NAMES, OCCUPANCY_ACTIONS);
