import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../auth/record-actions.ts';
import type { MailRow } from './mail-store.ts';

export const MAIL_ACTION_NAMES = ['send'] as const;
export type MailAction = (typeof MAIL_ACTION_NAMES)[number];

/** The actions of a mail. The command refuses by this rule. */
export const MAIL_ACTIONS = {
  send: {
    route: 'POST /mail/:id/send',
    // Its link has expired. A person who needs a new one can request it.
    refuse: ({ kind }: Pick<MailRow, 'kind'>) =>
      kind === 'recover-password' ? mistake('recovery-not-repeated') : null,
  },
} satisfies ActionRules<MailAction, Pick<MailRow, 'kind'>>;

export const MailActionsSchema = actionsSchema(MAIL_ACTION_NAMES, MAIL_ACTIONS);
