import { type ActionRules, ALWAYS, actionsSchema } from '../auth/record-actions.ts';

export const CUSTOMER_ACTION_NAMES = ['edit'] as const;
export type CustomerAction = (typeof CUSTOMER_ACTION_NAMES)[number];

/** The actions of a customer; its own people change its contact details, and no terms. */
export const CUSTOMER_ACTIONS = {
  edit: { route: 'PUT /customer/:id', refuse: ALWAYS },
} satisfies ActionRules<CustomerAction, object>;

export const CustomerActionsSchema = actionsSchema(CUSTOMER_ACTION_NAMES, CUSTOMER_ACTIONS);
