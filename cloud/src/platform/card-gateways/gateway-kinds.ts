import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';
import { z } from 'zod';
import { BorgunGateway, type BorgunOptions, BorgunSchema } from './borgun/borgun-gateway.ts';
import type { CardGateway } from './gateway.ts';
import { StripeGateway } from './stripe/stripe-gateway.ts';
import { STRIPE_SECRETS, type StripeSettings, StripeSettingsSchema } from './stripe/stripe-settings.ts';
import { TestingGateway, type TestingOptions, TestingSchema } from './testing/testing-gateway.ts';
import { ScriptedGateway, type ScriptedOptions, ScriptedSchema } from './testing2/scripted-gateway.ts';
import { ValitorPayGateway } from './valitor-pay/valitor-pay-gateway.ts';
import { type ValitorPayOptions, ValitorPayOptionsSchema } from './valitor-pay/valitor-pay-options.ts';
import { VerifoneGateway } from './verifone/verifone-gateway.ts';
import {
  VERIFONE_SECRETS,
  type VerifoneSettings,
  VerifoneSettingsSchema,
} from './verifone/verifone-settings.ts';

export interface GatewayParts {
  clock: Clock;
  log: Logger;
  /** The folder in which a gateway for tests keeps the books of its provider. */
  dataDir: string;
}

interface GatewayKind<Config> {
  /** A strict object with the literal `kind`. */
  schema: z.ZodType<Config>;
  /**
   * Fields of the configuration that environment variables can give, for the gateway with its kind as its id.
   */
  secrets: Readonly<Partial<Record<string & keyof Config, `HLID_${string}`>>>;
  /** It moves no money: refused unless the configuration allows `testGateways`. */
  isTest: boolean;
  create(config: Config, parts: GatewayParts): CardGateway;
}

/**
 * Card gateways by kind: how each is configured and made. A new one is a separate folder and an entry here.
 */
export const GATEWAY_KINDS = {
  borgun: {
    schema: BorgunSchema,
    secrets: { privateKey: 'HLID_BORGUN_PRIVATE_KEY' } as const,
    isTest: false,
    create: (config: BorgunOptions) => new BorgunGateway(config),
  },
  stripe: {
    schema: StripeSettingsSchema,
    secrets: STRIPE_SECRETS,
    isTest: false,
    create: (config: StripeSettings, parts: GatewayParts) => new StripeGateway(config, parts),
  },
  testing: {
    schema: TestingSchema,
    secrets: {},
    isTest: true,
    create: (config: TestingOptions, parts: GatewayParts) => new TestingGateway(config, parts),
  },
  testing2: {
    schema: ScriptedSchema,
    secrets: {},
    isTest: true,
    create: (config: ScriptedOptions, parts: GatewayParts) => new ScriptedGateway(config, parts),
  },
  'valitor-pay': {
    schema: ValitorPayOptionsSchema,
    secrets: { apiKey: 'HLID_VALITOR_PAY_API_KEY' } as const,
    isTest: false,
    create: (config: ValitorPayOptions, { clock }: GatewayParts) => new ValitorPayGateway(config, { clock }),
  },
  verifone: {
    schema: VerifoneSettingsSchema,
    secrets: VERIFONE_SECRETS,
    isTest: false,
    create: (config: VerifoneSettings, parts: GatewayParts) => new VerifoneGateway(config, parts),
  },
};

export type GatewayKindName = keyof typeof GATEWAY_KINDS;
export const GatewayKindNameSchema = z.enum(
  Object.keys(GATEWAY_KINDS) as [GatewayKindName, ...GatewayKindName[]],
);

type GatewayConfigs = {
  [Kind in GatewayKindName]: z.infer<(typeof GATEWAY_KINDS)[Kind]['schema']>;
};
export type GatewayConfig = GatewayConfigs[GatewayKindName];

export function createGateway<Kind extends GatewayKindName>(
  config: GatewayConfigs[Kind] & { kind: Kind },
  parts: GatewayParts,
): CardGateway {
  const kinds: { [Each in GatewayKindName]: GatewayKind<GatewayConfigs[Each]> } = GATEWAY_KINDS;
  return kinds[config.kind].create(config, parts);
}

/** A configured gateway. Its id is its kind, unless several are of one kind. */
export interface NamedGateway {
  id: string;
  config: GatewayConfig;
  /** The secret that signs notifications about its payments; absent: none are accepted. */
  eventSecret?: string | undefined;
}

const EVENT_SECRET = 'whsec_ and at least 24 bytes in base64';
const EventSecretSchema = z
  .string()
  .regex(/^whsec_(?:[A-Za-z\d+/]{4}){8,}(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/, EVENT_SECRET);

/** The variable that holds the secret for notifications about a gateway's payments. */
function eventSecretVariable(id: string): string {
  return `HLID_GATEWAY_EVENT_SECRET_${id.replaceAll('-', '_').toUpperCase()}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An entry of `cardGateways` in cloud.yaml, completed with the secrets of the environment. */
export function namedGatewaySchema(environment: Environment): z.ZodType<NamedGateway> {
  return z
    .looseObject({
      kind: GatewayKindNameSchema,
      id: z
        .string()
        .regex(/^[a-z\d][a-z\d-]{0,39}$/, 'small letters, digits and dashes')
        .optional(),
      eventSecret: EventSecretSchema.optional(),
    })
    .transform(({ id, eventSecret, ...entry }, context): NamedGateway => {
      const { kind } = entry;
      const signs = EventSecretSchema.optional().safeParse(
        environment[eventSecretVariable(id ?? kind)] || eventSecret,
      );
      if (!signs.success) {
        context.addIssue({ code: 'custom', path: ['eventSecret'], message: EVENT_SECRET });
        return z.NEVER;
      }
      const secrets = secretsOf(kind, id ?? kind, environment);
      const parsed = GATEWAY_KINDS[kind].schema.safeParse({ ...entry, ...secrets });
      if (parsed.success) {
        return { id: id ?? kind, config: parsed.data, ...(signs.data && { eventSecret: signs.data }) };
      }
      for (const { message, path } of parsed.error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
      return z.NEVER;
    });
}

/**
 * The variables that hold a gateway's secrets, by the field of its configuration: those of its kind, with the id at the
 * end where the id is another: `HLID_VERIFONE_API_KEY_HARBOUR`.
 */
export function secretVariables(kind: GatewayKindName, id: string): Record<string, string> {
  const end = id === kind ? '' : `_${id.replaceAll('-', '_').toUpperCase()}`;
  const names: Readonly<Record<string, string>> = GATEWAY_KINDS[kind].secrets;
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [field, `${name}${end}`]));
}

function secretsOf(kind: GatewayKindName, id: string, environment: Environment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [field, name] of Object.entries(secretVariables(kind, id))) {
    const value = environment[name];
    if (value !== undefined && value !== '') found[field] = value;
  }
  return found;
}
