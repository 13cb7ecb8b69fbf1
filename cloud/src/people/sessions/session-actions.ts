import type { Caller } from '../../platform/http/caller.ts';
import { type ActionRules, ALWAYS, actionsFor, actionsSchema } from '../auth/record-actions.ts';

export const SESSION_ACTION_NAMES = [
  'new-visit',
  'new-permit',
  'new-customer',
  'new-account',
  'invite-staff',
  'new-quota',
  'buy-quota',
  'new-product',
  'new-zone',
  'new-site',
  'new-camera',
  'new-webhook',
  'new-custody',
  'new-package',
  'new-rollout',
  'bill',
  'settle',
  'set-up-sites',
  'see-lanes',
  'see-visits',
  'see-photos',
  'see-reviews',
  'see-permits',
  'see-vehicles',
  'see-customers',
  'see-custodies',
  'see-quotas',
  'see-accounts',
  'see-invoices',
  'see-payments',
  'see-income',
  'see-approvals',
  'set-limits',
  'see-traffic',
  'see-devices',
  'see-cameras',
  'see-rollouts',
  'see-webhooks',
  'see-mail',
  'see-audit',
  'see-retention',
] as const;
export type SessionAction = (typeof SESSION_ACTION_NAMES)[number];

/** The acts and views of people apart from a record. The access table alone decides them. */
export const SESSION_ACTIONS = {
  'new-visit': by('POST /visits'),
  'new-permit': by('POST /visit/whitelist'),
  'new-customer': by('POST /customers'),
  'new-account': by('POST /accounts'),
  'invite-staff': by('POST /staff'),
  'new-quota': by('POST /quotas'),
  'buy-quota': by('POST /quotas/purchase'),
  'new-product': by('POST /products'),
  'new-zone': by('POST /zones'),
  'new-site': by('POST /sites'),
  'new-camera': by('POST /cameras'),
  'new-webhook': by('POST /webhooks'),
  'new-custody': by('POST /custodians'),
  'new-package': by('POST /edge-packages'),
  'new-rollout': by('POST /rollouts'),
  bill: by('POST /billing/runs'),
  settle: by('PUT /visit/:id'),
  'set-up-sites': by('PUT /sites/:id'),
  'see-lanes': by('GET /sites/:id/lanes'),
  'see-visits': by('GET /visit/:id'),
  'see-photos': by('GET /photos'),
  'see-reviews': by('GET /review/next'),
  'see-permits': by('GET /visit/whitelist'),
  'see-vehicles': by('GET /vehicles'),
  'see-customers': by('GET /customers'),
  'see-custodies': by('GET /custodians'),
  'see-quotas': by('GET /quotas'),
  'see-accounts': by('GET /accounts'),
  'see-invoices': by('GET /invoices'),
  'see-payments': by('GET /payments'),
  'see-approvals': by('GET /approvals'),
  'set-limits': by('PUT /sites/:id/approval-limits'),
  'see-income': by('GET /reports/income'),
  'see-traffic': by('GET /reports/traffic'),
  'see-devices': by('GET /sites/:id/devices'),
  'see-cameras': by('GET /cameras'),
  'see-rollouts': by('GET /rollouts'),
  'see-webhooks': by('GET /webhooks'),
  'see-mail': by('GET /mail'),
  'see-audit': by('GET /audit'),
  'see-retention': by('GET /retention'),
} satisfies ActionRules<SessionAction, object>;

export const SessionActionsSchema = actionsSchema(SESSION_ACTION_NAMES, SESSION_ACTIONS);

function by(route: string) {
  return { route, refuse: ALWAYS };
}

/** The acts and views of a caller apart from a record. */
export function actionsOfSession(caller: Caller): SessionAction[] {
  return actionsFor(SESSION_ACTION_NAMES, SESSION_ACTIONS, caller, {}, {});
}
