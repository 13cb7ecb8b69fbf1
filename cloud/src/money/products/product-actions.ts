import { type ActionRules, ALWAYS, actionsSchema } from '../../people/auth/record-actions.ts';

export const PRODUCT_ACTION_NAMES = ['edit', 'delete'] as const;
export type ProductAction = (typeof PRODUCT_ACTION_NAMES)[number];

/** The actions of a product: whether one leaves a site without a price depends on the call. */
export const PRODUCT_ACTIONS = {
  edit: { route: 'PUT /products/:id', refuse: ALWAYS },
  delete: { route: 'DELETE /products/:id', refuse: ALWAYS },
} satisfies ActionRules<ProductAction, object>;

export const ProductActionsSchema = actionsSchema(PRODUCT_ACTION_NAMES, PRODUCT_ACTIONS);
