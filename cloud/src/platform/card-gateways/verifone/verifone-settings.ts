import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { z } from 'zod';
import { gatewayTimeout } from '../gateway-timeout.ts';

/** Ids of contracts and keys are UUIDs, but Verifone calls their form "uuid-flexible". */
const IdSchema = z.string().regex(/^[\w-]{1,64}$/, 'an id of letters, digits, _ and -');
/**
 * The host, without a slash at its end. The API key goes there, so it is never sent without TLS, except to
 * this machine.
 */
const HostSchema = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith('https:') || ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname),
    'an https address',
  )
  .transform((url) => url.replace(/\/+$/, ''));

/** Addresses of "Getting started" and "Server-to-Server Payments with 3D Secure". */
const HOSTS = {
  sandbox: {
    api: 'https://cst.test-gsc.vfims.com/oidc',
    encryptionScript: 'https://cst.jsclient.vficloud.net/verifone.js',
    authenticationScript: 'https://songbirdstag.cardinalcommerce.com/edge/v1/songbird.js',
    /** Cardinal's script sends what it has measured of the device there. */
    authenticationService: [
      'https://centinelapistag.cardinalcommerce.com',
      'https://geostag.cardinalcommerce.com',
    ],
  },
  emea: {
    api: 'https://emea.gsc.verifone.cloud/oidc',
    encryptionScript: 'https://emea.jsclient.verifone.cloud/verifone.js',
    authenticationScript: 'https://songbird.cardinalcommerce.com/edge/v1/songbird.js',
    authenticationService: ['https://centinelapi.cardinalcommerce.com', 'https://geo.cardinalcommerce.com'],
  },
} as const;

/** An account at Verifone's eCommerce service. All of it is found in Verifone Central. */
export const VerifoneSettingsSchema = z.strictObject({
  kind: z.literal('verifone'),
  /** The id of the API user. */
  userId: z.string().min(1),
  apiKey: z.string().min(1),
  environment: z.enum(['sandbox', 'emea']),
  /** The payment provider contract (PPC) that payments go through. */
  paymentProviderContract: IdSchema,
  /** The 3-D Secure contract. */
  threedsContract: IdSchema,
  /** The Secure Card Capture Key: the browser encrypts cards with it. */
  publicKey: z.string().min(1).max(10_000),
  publicKeyAlias: z.string().min(1).max(200),
  /** The scope in which reuse tokens are valid. Without it, no cards are stored. */
  tokenScope: IdSchema.optional(),
  /**
   * Whether to charge when the bank cannot authenticate the driver: `pares_status` U, or a card that is not enrolled.
   * The operator is then liable for fraud.
   */
  acceptUnauthenticated: z.boolean().default(false),
  /**
   * The lookup of 3-D Secure requires a name and an address. A driver is not asked for them, so these of the operator
   * are sent, and the mail address where the driver gives none.
   */
  billing: z.strictObject({
    firstName: z.string().min(1).max(22).default('Parking'),
    lastName: z.string().min(1).max(22).default('Customer'),
    address: z.string().min(1).max(50),
    city: z.string().min(1).max(50),
    postalCode: z.string().min(1).max(16).optional(),
    /** ISO 3166, two letters. */
    countryCode: z.string().regex(/^[A-Z]{2}$/, 'two capital letters, such as IS'),
    email: MailAddressSchema,
  }),
  /** Verifone's own gateway gives up with 504 before that. */
  timeoutMs: gatewayTimeout(40_000),
  /** Instead of the environment's: another region, a proxy, or a simulator. */
  hosts: z
    .strictObject({ api: HostSchema, encryptionScript: HostSchema, authenticationScript: HostSchema })
    .optional(),
});
export type VerifoneSettings = z.infer<typeof VerifoneSettingsSchema>;

/** The environment variables of the API user. */
export const VERIFONE_SECRETS = {
  userId: 'HLID_VERIFONE_USER_ID',
  apiKey: 'HLID_VERIFONE_API_KEY',
} as const;

export interface VerifoneHosts {
  api: string;
  encryptionScript: string;
  authenticationScript: string;
  authenticationService: readonly string[];
}

export function hostsOf({ environment, hosts }: VerifoneSettings): VerifoneHosts {
  if (!hosts) return HOSTS[environment];
  return { ...hosts, authenticationService: [new URL(hosts.authenticationScript).origin] };
}
