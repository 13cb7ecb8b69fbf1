import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, ALWAYS, actionsFor, actionsSchema } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SiteRow } from '../../records/sites/site-store.ts';

export const SITE_ACTION_NAMES = [
  'edit',
  'set-limits',
  'archive',
  'restore',
  'delete',
  'enrol',
  'renew-secret',
  'revoke-secret',
] as const;
export type SiteAction = (typeof SITE_ACTION_NAMES)[number];

/** The facts that decide about the actions of a site. */
export interface SiteFacts extends Pick<SiteRow, 'archivedAt'> {
  /** It was connected, or something belongs to it. */
  isUsed: boolean;
}

/** The actions of a site, and when each is possible. The commands refuse by these rules, or do nothing. */
export const SITE_ACTIONS = {
  edit: { route: 'PUT /sites/:id', refuse: ALWAYS },
  'set-limits': { route: 'PUT /sites/:id/approval-limits', refuse: ALWAYS },
  archive: {
    route: 'POST /sites/:id/archive',
    refuse: ({ archivedAt }: Pick<SiteFacts, 'archivedAt'>) =>
      archivedAt === null ? null : ('nothing-to-do' as const),
  },
  restore: {
    route: 'DELETE /sites/:id/archive',
    refuse: ({ archivedAt }: Pick<SiteFacts, 'archivedAt'>) =>
      archivedAt === null ? ('nothing-to-do' as const) : null,
  },
  delete: {
    route: 'DELETE /sites/:id',
    refuse: ({ isUsed }: Pick<SiteFacts, 'isUsed'>) => (isUsed ? mistake('site-in-use') : null),
  },
  enrol: { route: 'POST /sites/:id/enrolment', refuse: ALWAYS },
  'renew-secret': { route: 'POST /sites/:id/credentials', refuse: ALWAYS },
  'revoke-secret': { route: 'DELETE /sites/:id/credentials', refuse: ALWAYS },
} satisfies ActionRules<SiteAction, SiteFacts>;

export const SiteActionsSchema = actionsSchema(SITE_ACTION_NAMES, SITE_ACTIONS);

/** The actions of the caller on a site now. */
export function actionsOfSite(caller: Caller, { id: siteId }: Pick<SiteRow, 'id'>, facts: SiteFacts) {
  return actionsFor(SITE_ACTION_NAMES, SITE_ACTIONS, caller, { siteId }, facts);
}
