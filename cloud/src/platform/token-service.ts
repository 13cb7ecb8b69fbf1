import { z } from 'zod';
import { type GatewayDialect, GatewayHttp, type Refusal } from './card-gateways/gateway-http.ts';

/** The settings of a service that is reached by HTTP with a token, such as an access point or a bank. */
export const TOKEN_SERVICE_SHAPE = {
  /** The address that the paths of its calls follow. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  token: z.string().min(1),
  timeoutMs: z.int().min(100).max(60_000).default(20_000),
};

interface TokenService {
  url: string;
  token: string;
  timeoutMs: number;
}

/** The calls to such a service, each with its token. */
export function tokenServiceHttp<Refused extends Refusal>(
  { url, token, timeoutMs }: TokenService,
  dialect: Pick<GatewayDialect<Refused>, 'maxAnswerBytes' | 'readRefusal'>,
): GatewayHttp<Refused> {
  return new GatewayHttp({
    ...dialect,
    address: url,
    headers: { authorization: `Bearer ${token}` },
    timeoutMs,
  });
}

/** A configured service. */
export interface NamedService<Config> {
  id: string;
  config: Config;
}

const IdSchema = z.string().regex(/^[a-z\d][a-z\d-]{0,39}$/, 'small letters, digits and dashes');

/**
 * An entry of a list of services in cloud.yaml, completed with its token of the environment.
 *
 * @param of.variable has the token of the service with the usual id; another one's has the id at its end
 */
export function namedServiceSchema<Schema extends z.ZodType>(
  schema: Schema,
  { variable, usualId }: { variable: string; usualId: string },
  environment: Readonly<Record<string, string | undefined>>,
): z.ZodType<NamedService<z.output<Schema>>> {
  return z.looseObject({ id: IdSchema.default(usualId) }).transform(({ id, ...entry }, context) => {
    const suffix = id === usualId ? '' : `_${id.replaceAll('-', '_').toUpperCase()}`;
    const token = environment[`${variable}${suffix}`];
    const parsed = schema.safeParse({ ...entry, ...(token && { token }) });
    if (parsed.success) return { id, config: parsed.data };
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
}

/** The words of a service as one line for operators; null: there are none. */
export function oneLine(words: string | null | undefined, maxLength: number): string | null {
  const line = words?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() ?? '';
  return line === '' ? null : line.slice(0, maxLength);
}
