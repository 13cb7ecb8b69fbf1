import { z } from 'zod';

/** The operations of Stripe's API that the simulator supports. */
export type StripeOperation =
  | 'create-intent'
  | 'read-intent'
  | 'confirm'
  | 'capture'
  | 'cancel'
  | 'list-intents'
  | 'search-intents'
  | 'refund'
  | 'list-refunds'
  | 'create-customer'
  | 'delete-customer'
  | 'list-domains';

const Text = z.string().max(5000);
const Amount = z
  .string()
  .regex(/^[1-9]\d{0,7}$/)
  .transform(Number); // eight digits
const Bool = z.enum(['true', 'false']).transform((text) => text === 'true');
const Limit = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .default(10);
const expand = { expand: z.array(z.literal('latest_charge')).default([]) };
const metadata = { metadata: z.record(z.string().max(40), z.string().max(500)).default({}) };
const capture_method = z.enum(['automatic', 'automatic_async', 'manual']);

/** The parameters of Stripe's reference that are used here. All others are refused. */
export const STRIPE_FIELDS = {
  'create-intent': z.strictObject({
    amount: Amount,
    currency: z.string().regex(/^[a-z]{3}$/),
    ...metadata,
    ...expand,
    allowed_payment_method_types: z.array(z.literal('card')).optional(),
    capture_method: capture_method.default('automatic_async'),
    confirm: Bool.default(false),
    confirmation_method: z.enum(['automatic', 'manual']).default('automatic'),
    customer: Text.optional(),
    off_session: Bool.optional(),
    payment_method: Text.optional(),
    payment_method_options: z
      .strictObject({
        card: z.strictObject({ request_three_d_secure: z.enum(['any', 'automatic', 'challenge']) }),
      })
      .optional(),
    setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    use_stripe_sdk: Bool.optional(),
  }),
  'read-intent': z.strictObject({ ...expand, client_secret: Text.optional() }),
  confirm: z.strictObject({
    ...expand,
    capture_method: capture_method.optional(),
    off_session: Bool.optional(),
    payment_method: Text.optional(),
    use_stripe_sdk: Bool.optional(),
  }),
  capture: z.strictObject({ ...expand, amount_to_capture: Amount.optional() }),
  cancel: z.strictObject({ ...expand, cancellation_reason: Text.optional() }),
  'list-intents': z.strictObject({
    limit: Limit,
    created: z
      .strictObject({ gte: z.coerce.number().optional(), lte: z.coerce.number().optional() })
      .default({}),
    customer: Text.optional(),
    starting_after: Text.optional(),
  }),
  'search-intents': z.strictObject({ query: Text, limit: Limit }),
  refund: z.strictObject({
    payment_intent: Text,
    amount: Amount.optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    ...metadata,
  }),
  'list-refunds': z.strictObject({ payment_intent: Text.optional(), limit: Limit }),
  'create-customer': z.strictObject({ ...metadata, email: Text.optional() }),
  'delete-customer': z.strictObject({}),
  'list-domains': z.strictObject({ domain_name: Text.optional(), limit: Limit }),
} satisfies Record<StripeOperation, z.ZodType>;

export type StripeFields<Operation extends StripeOperation> = z.output<(typeof STRIPE_FIELDS)[Operation]>;

interface Tree {
  [name: string]: string | string[] | Tree;
}

/** `a[b]=c&d[0]=e&d[]=f` as `{ a: { b: 'c' }, d: ['e', 'f'] }`. */
export function readForm(text: string): Tree {
  const root: Tree = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = [name.split('[')[0] ?? '', ...[...name.matchAll(/\[(\w*)\]/g)].map(([, key = '']) => key)];
    let at = root;
    while (keys.length > 1) {
      const [key = '', next = ''] = keys.splice(0, 1).concat(keys[0] ?? '');
      if (/^\d*$/.test(next) && keys.length === 1) {
        const list = at[key];
        if (Array.isArray(list)) list.push(value);
        else at[key] = [value];
        keys.length = 0;
      } else {
        const child = at[key];
        const inner: Tree = typeof child === 'object' && !Array.isArray(child) ? child : {};
        at[key] = inner;
        at = inner;
      }
    }
    const [last] = keys;
    if (last !== undefined) at[last] = value;
  }
  return root;
}
