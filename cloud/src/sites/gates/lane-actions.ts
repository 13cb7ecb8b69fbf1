import { type ActionRules, ALWAYS, actionsFor, actionsSchema } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { VISIT_ACTIONS } from '../../stays/visits/visit-actions.ts';

export const LANE_ACTION_NAMES = ['open', 'settle', 'hold', 'close', 'release', 'picture'] as const;
export type LaneAction = (typeof LANE_ACTION_NAMES)[number];

/** The actions at a lane. The access table alone decides them: the site knows what its gate can do now. */
export const LANE_ACTIONS = {
  open: { route: 'POST /sites/:id/lanes/:lane/open', refuse: ALWAYS },
  /** The debt of the car is settled when its gate opens. */
  settle: { route: VISIT_ACTIONS.settle.route, refuse: ALWAYS },
  hold: { route: 'POST /sites/:id/lanes/:lane/hold', refuse: ALWAYS },
  close: { route: 'POST /sites/:id/lanes/:lane/close', refuse: ALWAYS },
  release: { route: 'POST /sites/:id/lanes/:lane/release', refuse: ALWAYS },
  picture: { route: 'POST /sites/:id/lanes/:lane/snapshot', refuse: ALWAYS },
} satisfies ActionRules<LaneAction, object>;

export const LaneActionsSchema = actionsSchema(LANE_ACTION_NAMES, LANE_ACTIONS);

/** The actions of the caller at each lane of a site. */
export function actionsOfLanes(caller: Caller, siteId: string): LaneAction[] {
  return actionsFor(LANE_ACTION_NAMES, LANE_ACTIONS, caller, { siteId }, {});
}
