import { randomUUID } from 'node:crypto';
import { deadline } from '@hlid/protocol/test/deadline';
import type { z } from 'zod';
import {
  IdViewSchema,
  LoginViewSchema,
  listOf,
  type SiteView,
  SiteViewSchema,
  type VisitView,
  VisitViewSchema,
} from './cloud-views.ts';

export interface OperatorAccess {
  cloudUrl: string;
  apiKey: string;
  id: string;
  password: string;
}

/** An answer as it came, for tests that check refusals too. */
interface ApiAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

type PaidBy = 'kiosk' | 'company-invoice' | 'owner-invoice' | 'whitelisted' | 'void';

/** An operator at the cloud's API, logged in. */
export interface Operator {
  /** Any request, with the operator's token; refusals are answers like others. The body is JSON, or a form. */
  ask(method: string, path: string, body?: object): Promise<ApiAnswer>;
  /** The same where only success will do: 2xx, or the 303 that creates and updates answer with. */
  call<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.infer<Schema>>;
  /** What is at an address that gives no JSON, such as a picture's. */
  bytes(path: string): Promise<Buffer>;
  /** The events of a stream, until the signal ends it. */
  stream(path: string, signal: AbortSignal): AsyncGenerator<{ name: string; data: unknown }, void>;
  site(id: string): Promise<SiteView>;
  /** All pages of `GET /visits`, newest first. */
  visits(query?: Readonly<Record<string, string>>): Promise<VisitView[]>;
  visit(id: string): Promise<VisitView>;
  /** Settles what a visit owes. */
  settle(visitId: string, by: PaidBy, reason: string): Promise<VisitView>;
  addPermit(plate: string, more?: object): Promise<{ id: string }>;
}

const REQUEST_WITHIN_MS = 15_000;
const MAX_PAGES = 500;

/** Logs in at the cloud, as a person does in the console. */
export async function logIn(access: OperatorAccess): Promise<Operator> {
  const { cloudUrl, apiKey, id, password } = access;
  let token = await newToken();

  async function newToken(): Promise<string> {
    const answer = await send(
      'POST',
      '/auth/login',
      { 'x-api-key': apiKey },
      { device_uuid: randomUUID(), provider: 'password', id, password },
    );
    return LoginViewSchema.parse(succeeded('POST /auth/login', answer)).access_token;
  }

  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<ApiAnswer> {
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(path, cloudUrl), {
      method,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      // Creates and updates answer 303 with the resource in the body; following it would only ask for it again.
      redirect: 'manual',
      signal: AbortSignal.timeout(deadline(REQUEST_WITHIN_MS)),
    });
    return { status: response.status, headers: response.headers, body: parseBody(await response.text()) };
  }

  async function ask(method: string, path: string, body?: object): Promise<ApiAnswer> {
    const answer = await send(method, path, { authorization: `Bearer ${token}` }, body);
    if (answer.status !== 401) return answer;
    token = await newToken();
    return send(method, path, { authorization: `Bearer ${token}` }, body);
  }

  async function call<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.infer<Schema>> {
    return schema.parse(succeeded(`${method} ${path}`, await ask(method, path, body)));
  }

  async function visits(query: Readonly<Record<string, string>> = {}): Promise<VisitView[]> {
    const found: VisitView[] = [];
    let next: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const search = new URLSearchParams({ ...query, ...(next !== null && { next }) });
      const list: z.infer<typeof VisitListSchema> = await call(VisitListSchema, 'GET', `/visits?${search}`);
      found.push(...list.data);
      next = list.next;
      if (next === null) return found;
    }
    throw new Error(`GET /visits has more than ${MAX_PAGES} pages`);
  }

  async function bytes(path: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(deadline(REQUEST_WITHIN_MS));
    const response = await fetch(new URL(path, cloudUrl), { headers, signal });
    if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async function* stream(
    path: string,
    signal: AbortSignal,
  ): AsyncGenerator<{ name: string; data: unknown }, void> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(new URL(path, cloudUrl), { headers, signal });
    if (!response.ok || response.body === null) throw new Error(`GET ${path}: ${response.status}`);
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [name, data] = [/^event: (.*)$/m, /^data: (.*)$/m].map((field) => field.exec(block)?.[1]);
        if (name !== undefined) yield { name, data: parseBody(data ?? '') };
      }
    }
  }

  return {
    ask,
    call,
    bytes,
    stream,
    visits,
    site: (siteId) => call(SiteViewSchema, 'GET', `/sites/${siteId}`),
    visit: (visitId) => call(VisitViewSchema, 'GET', `/visit/${visitId}`),
    settle: (visitId, by, reason) =>
      call(VisitViewSchema, 'PUT', `/visit/${visitId}`, { paymentStatus: by, reason }),
    addPermit: (plate, more = {}) =>
      call(IdViewSchema, 'POST', '/visit/whitelist', { plate, reason: 'Permit holder', ...more }),
  };
}

const VisitListSchema = listOf(VisitViewSchema);

function succeeded(what: string, { status, body }: ApiAnswer): unknown {
  if ((status >= 200 && status < 300) || status === 303) return body;
  throw new Error(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
}

function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
