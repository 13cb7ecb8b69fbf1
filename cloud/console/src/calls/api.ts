import type { Hono } from 'hono';
import { type ClientResponse, hc } from 'hono/client';
import type { StatusCode } from 'hono/utils/http-status';
import { Refusal, refusalOf } from './refusal.ts';

/** What the shell does about answers that concern every call. */
export interface CallHooks {
  /** The session has ended. */
  onLoggedOut(): void;
  /** Asks the person for a fresh proof. Resolves to false where they do not want to give one. */
  stepUp(): Promise<boolean>;
}

let hooks: CallHooks | null = null;

export function setCallHooks(newHooks: CallHooks | null): void {
  hooks = newHooks;
}

/** A client of the routes of one feature of the cloud: `apiOf<typeof zoneRoutes>()`. Types only; the cloud checks. */
export function apiOf<Routes extends (...parts: never[]) => unknown>() {
  type App = ReturnType<Routes>;
  return hc<App extends Hono<infer Env, infer Schema, infer Base> ? Hono<Env, Schema, Base> : never>(
    location.origin,
    { fetch: callCloud, headers: { Prefer: 'return=representation' } },
  );
}

/** As `fetch`, with the session's cookie. */
function callCloud(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return sendProven(() => fetch(input, { ...init, credentials: 'same-origin' }));
}

/** Asks for a fresh proof before a call that is too long to be sent twice. Resolves to false where nobody gives one. */
export async function stepUp(): Promise<boolean> {
  return hooks === null || (await hooks.stepUp());
}

/** Sends a call; one that needs a fresh proof is sent again once that is given. */
export async function sendProven(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (response.status === 401) hooks?.onLoggedOut();
  if (response.status !== 403 || hooks === null) return response;
  const refusal = await refusalOf(response.clone());
  if (!refusal.needsStepUp || !(await hooks.stepUp())) return response;
  return await send();
}

/** Statuses that carry what was asked for. Creates and updates are documented as 303, and answered as 200 (`Prefer`). */
type Good = 200 | 201 | 202 | 301 | 303;
type BodyOf<R> = R extends ClientResponse<infer Body, Good, 'json'> ? Body : never;

/**
 * The body of an answer.
 * @throws Refusal where the cloud refuses or does not answer
 */
export async function read<R extends ClientResponse<unknown, StatusCode, string>>(
  call: Promise<R>,
): Promise<BodyOf<R>> {
  const { body } = await readTagged(call);
  return body;
}

/** The same with the version of what was read, for `If-Match`. */
export async function readTagged<R extends ClientResponse<unknown, StatusCode, string>>(
  call: Promise<R>,
): Promise<{ body: BodyOf<R>; etag: string | null }> {
  const response = await answered(call);
  const text = await response.text();
  // The one place where the type of the route stands for the bytes that came.
  const body = (text === '' ? undefined : JSON.parse(text)) as BodyOf<R>;
  return { body, etag: response.headers.get('ETag') };
}

/** For calls that answer with nothing to read, and files. @throws Refusal */
export async function answered<R extends ClientResponse<unknown, StatusCode, string>>(
  call: Promise<R>,
): Promise<R> {
  let response: R;
  try {
    response = await call;
  } catch {
    throw Refusal.noAnswer();
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}
