import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { gatewayTimeout } from '../gateway-timeout.ts';

/** The secret key goes there, so it is never sent without TLS, except to this machine. */
const AddressSchema = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith('https:') || ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname),
    'an https address',
  )
  .transform((url) => url.replace(/\/+$/, ''));

/** An account at Stripe: its keys, from the page "API keys" of the dashboard. */
export const StripeSettingsSchema = z
  .strictObject({
    kind: z.literal('stripe'),
    /** Better a restricted key (`rk_`): it needs to write payment intents, refunds and customers. */
    secretKey: z.string().regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'a secret or restricted key'),
    /** This key is not secret: it is in the page. */
    publishableKey: z.string().regex(/^pk_(?:test|live)_\w+$/, 'a publishable key'),
    /** The secret of the webhook endpoint, for disputes. */
    webhookSecret: z
      .string()
      .regex(/^whsec_\w+$/, 'the signing secret of a webhook')
      .optional(),
    /**
     * When the bank is to authenticate the driver. `any`: whenever the card takes part, so that the bank is liable for
     * fraud. `automatic`: where the law or the bank requires it.
     */
    requestAuthentication: z.enum(['any', 'automatic']).default('any'),
    /** Path of the file by which Apple knows the domain of the payment page; without it, Apple Pay is not offered. */
    appleDomainAssociation: z.string().min(1).optional(),
    /** A bank may take long over an authorisation. */
    timeoutMs: gatewayTimeout(MINUTE_MS),
    /** Instead of Stripe's own: a proxy, or a simulator. */
    hosts: z.strictObject({ api: AddressSchema, script: AddressSchema }).optional(),
  })
  .refine(
    ({ secretKey, publishableKey }) => modeOf(secretKey) === modeOf(publishableKey),
    'secretKey and publishableKey: one is for tests, the other is not',
  );
export type StripeSettings = z.infer<typeof StripeSettingsSchema>;

export const STRIPE_SECRETS = {
  secretKey: 'HLID_STRIPE_SECRET_KEY',
  webhookSecret: 'HLID_STRIPE_WEBHOOK_SECRET',
} as const;

export function modeOf(key: string): 'test' | 'live' {
  return key.split('_')[1] === 'live' ? 'live' : 'test';
}

/** Stripe.js must come from Stripe itself; the name is that of the API version. */
const HOSTS = { api: 'https://api.stripe.com', script: 'https://js.stripe.com/endive/stripe.js' };

export function hostsOf({ hosts = HOSTS }: StripeSettings): { api: string; script: string } {
  return hosts;
}
