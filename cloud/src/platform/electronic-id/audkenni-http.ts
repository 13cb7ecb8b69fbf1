import { exchangeHttp } from '@hlid/node/http-exchange';
import { Fault } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import { failureOf } from './audkenni-errors.ts';
import type { Progress } from './electronic-id.ts';

const MAX_ANSWER_BYTES = 256 * 1024;
/** The caller's signal ends it before. */
const TIMEOUT_MS = 60_000;

export interface AudkenniAnswer {
  status: number;
  /** Null: it is no JSON. */
  body: unknown;
  location: string | null;
  /** `name=value` of each cookie that is set. */
  cookies: readonly string[];
}

/** The body of a request: a form, JSON, or none. */
interface Sent {
  form?: Readonly<Record<string, string>>;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
}

const TokensSchema = z.object({ access_token: z.string().min(1) });
const PersonSchema = z.object({ nationalRegisterId: z.string().min(1), name: z.string().optional() });

/** Requests to Auðkenni's server (ForgeRock Access Management). */
export class AudkenniHttp {
  readonly #origin: string;

  /** @param origin without a slash at the end */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The address of the realm's OAuth 2.0 endpoints. */
  get oauth(): string {
    return `${this.#origin}/sso/oauth2/realms/root/realms/audkenni`;
  }

  /** The address of the realm's login journeys. */
  get authenticate(): string {
    return `${this.#origin}/sso/json/realms/root/realms/audkenni/authenticate`;
  }

  /** Throws Fault `link-refused` if nothing was sent, `link-lost` if that is uncertain. */
  async send(
    method: 'GET' | 'POST',
    url: string,
    { form, json, headers }: Sent,
    signal: AbortSignal,
  ): Promise<AudkenniAnswer> {
    const body = bodyOf(form, json);
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const outcome = await exchangeHttp({
      method,
      url: new URL(url),
      headers: {
        accept: 'application/json',
        ...(body !== null && { 'content-type': type }),
        ...headers,
      },
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (outcome.kind !== 'answered') {
      const code = outcome.kind === 'not-sent' ? 'link-refused' : 'link-lost';
      throw new Fault(code, `Auðkenni cannot be reached: ${outcome.problem}`);
    }
    return {
      status: outcome.status,
      body: parsed(outcome.text),
      // The answer to `authorize` is a redirect to ourselves; no other one is followed either.
      location: outcome.headers.location ?? null,
      cookies: (outcome.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? ''),
    };
  }

  /** The token in an answer of `access_token`; null where there is none. */
  readToken({ status, body }: AudkenniAnswer): string | null {
    const tokens = TokensSchema.safeParse(body);
    return status === 200 && tokens.success ? tokens.data.access_token : null;
  }

  /** The person whom a token is about. */
  async person(token: string, headers: Sent['headers'], signal: AbortSignal): Promise<Progress> {
    const answer = await this.send(
      'POST',
      `${this.oauth}/userinfo`,
      { form: {}, headers: { ...headers, authorization: `Bearer ${token}` } },
      signal,
    );
    const person = PersonSchema.safeParse(answer.body);
    if (answer.status !== 200 || !person.success) return failureOf('userinfo_invalid');
    return { kind: 'identified', ssn: person.data.nationalRegisterId, name: person.data.name ?? null };
  }
}

function bodyOf(form: Sent['form'], json: unknown): string | null {
  if (form !== undefined) return new URLSearchParams(form).toString();
  return json === undefined ? null : JSON.stringify(json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
