import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { webhookGiftMistakes } from '../../people/auth/gifts.ts';
import { type ActionRules, ALWAYS, actionsFor, actionsSchema } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { WebhookRow } from './webhook.ts';

export const WEBHOOK_ACTION_NAMES = ['edit', 'pause', 'resume', 'replay', 'delete'] as const;
export type WebhookAction = (typeof WEBHOOK_ACTION_NAMES)[number];

/** The facts that decide about the actions of a webhook. */
export interface WebhookFacts extends Pick<WebhookRow, 'types' | 'siteId' | 'status'> {
  caller: Caller;
}

const CHANGE = 'PUT /webhooks/:id';

/** The actions of a webhook, and when each is possible. The commands refuse by these rules. */
export const WEBHOOK_ACTIONS = {
  edit: { route: CHANGE, refuse: refuseEdit },
  pause: {
    route: CHANGE,
    refuse: ({ status }: Pick<WebhookFacts, 'status'>) =>
      status === 'paused' ? ('nothing-to-do' as const) : null,
  },
  resume: {
    route: CHANGE,
    refuse: (webhook: WebhookFacts) =>
      webhook.status === 'active' ? ('nothing-to-do' as const) : refuseSending(webhook),
  },
  replay: { route: 'POST /webhooks/:id/replay', refuse: refuseSending },
  delete: { route: 'DELETE /webhooks/:id', refuse: ALWAYS },
} satisfies ActionRules<WebhookAction, WebhookFacts>;

export const WebhookActionsSchema = actionsSchema(WEBHOOK_ACTION_NAMES, WEBHOOK_ACTIONS);

/** A paused webhook sends nothing, and its name can be changed by who could not give it. */
function refuseEdit(webhook: WebhookFacts): Mistake | null {
  return webhook.status === 'paused' ? null : refuseSending(webhook);
}

/** Why a caller does not let it send: it would show what they do not see themselves. */
export function refuseSending({
  caller,
  types,
  siteId,
}: Pick<WebhookFacts, 'caller' | 'types' | 'siteId'>): Mistake | null {
  return webhookGiftMistakes(caller, { types, siteId })[0] ?? null;
}

/** The actions of the caller on a webhook now. */
export function actionsOfWebhook(caller: Caller, webhook: WebhookRow): WebhookAction[] {
  return actionsFor(WEBHOOK_ACTION_NAMES, WEBHOOK_ACTIONS, caller, {}, { ...webhook, caller });
}
