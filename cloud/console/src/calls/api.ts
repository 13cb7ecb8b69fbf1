import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { noteAnswer } from '@hlid/ui/fresh-page';
import type { Hono } from 'hono';
import { type ClientResponse, hc } from 'hono/client';
import type { StatusCode } from 'hono/utils/http-status';
import { throwIfAwaitsApproval } from './awaits-approval.ts';
import { cloudTimeIn, noteCloudTime } from './cloud-clock.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** The shell's reactions to answers that concern every call. */
export interface CallHooks {
  /** The session has ended. */
  onLoggedOut(why: Refusal): void;
  /** Asks the person for a fresh proof. Resolves to false if they decline. */
  stepUp(): Promise<boolean>;
}

let hooks: CallHooks | null = null;

export function setCallHooks(newHooks: CallHooks | null): void {
  hooks = newHooks;
}

/** The timeout of an ordinary call. */
const TIMEOUT_MS = 20_000;
/** The timeout of calls that move something while a person watches. */
export const COMMAND_TIMEOUT_MS = 10_000;
/** The timeout of calls that process many rows. */
export const LONG_TIMEOUT_MS = 2 * MINUTE_MS;

/** Changes that are under way, with the moment they began. */
const changes = new Map<AbortController, number>();

/** Stops the changes that began at that moment or later. @returns whether there were any */
export function cancelChangesSince(moment: number): boolean {
  const begun = [...changes].filter(([, at]) => at >= moment);
  for (const [ending] of begun) ending.abort(Refusal.unanswered('cancelled'));
  return begun.length > 0;
}

/**
 * A client of the routes of one feature of the cloud: `apiOf<typeof zoneRoutes>()`. Types only; the cloud checks.
 * @param timeoutMs the time to wait for an answer; a change is not started after that either
 */
export function apiOf<Routes extends (...parts: never[]) => unknown>(timeoutMs = TIMEOUT_MS) {
  type App = ReturnType<Routes>;
  return hc<App extends Hono<infer Env, infer Schema, infer Base> ? Hono<Env, Schema, Base> : never>(
    location.origin,
    {
      fetch: (input: RequestInfo | URL, init?: RequestInit) => callCloud(input, init ?? {}, timeoutMs),
      headers: { Prefer: 'return=representation' },
    },
  );
}

/** Calls `fetch` with the session's cookie and a timeout. */
function callCloud(input: RequestInfo | URL, init: RequestInit, timeoutMs: number): Promise<Response> {
  const isChange = (init.method ?? 'GET').toUpperCase() !== 'GET';
  return sendProven(() => (isChange ? sendChange(input, init, timeoutMs) : send(input, init, timeoutMs)));
}

function send(input: RequestInfo | URL, init: RequestInit, timeoutMs: number, signals: AbortSignal[] = []) {
  // The body is read under the same end.
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signals]);
  return fetch(input, { ...init, credentials: 'same-origin', signal });
}

/**
 * A change is sent now or never: what lies in a buffer of the network until it comes back is refused by the cloud, by
 * its deadline.
 */
async function sendChange(input: RequestInfo | URL, init: RequestInit, timeoutMs: number): Promise<Response> {
  const deadline = cloudTimeIn(timeoutMs);
  const headers = new Headers(init.headers);
  if (deadline !== null) headers.set('Deadline', deadline);
  const ending = new AbortController();
  changes.set(ending, performance.now());
  try {
    return await send(input, { ...init, headers }, timeoutMs, [ending.signal]);
  } finally {
    changes.delete(ending);
  }
}

/**
 * Asks for a fresh proof before a call that is too long to be sent twice. Resolves to false if none is given.
 */
export async function stepUp(): Promise<boolean> {
  return hooks === null || (await hooks.stepUp());
}

/** Sends a call; one that needs a fresh proof is sent again once that is given. */
export async function sendProven(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  noteCloudTime(response);
  noteAnswer(response);
  if (response.status === 401) hooks?.onLoggedOut(await refusalOf(response.clone()));
  if (response.status !== 403 || hooks === null) return response;
  const refusal = await refusalOf(response.clone());
  if (!refusal.needsStepUp || !(await hooks.stepUp())) return response;
  return await send();
}

/** Statuses that carry what was asked for. Creates and updates are documented as 303, and answered as 200 (`Prefer`). */
type Good = 200 | 201 | 202 | 301 | 303;
type BodyOf<R> =
  R extends ClientResponse<infer Body, Good, 'json'> ? Exclude<Body, { approvalId: string }> : never;

/**
 * The body of an answer.
 * @throws Refusal where the cloud refuses or does not answer
 * @throws AwaitsApproval where the act waits for a second person
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
  const text = await arrived(response.text());
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  throwIfAwaitsApproval(response.status, parsed);
  // The one place where the type of the route stands for the bytes that came.
  const body = parsed as BodyOf<R>;
  return { body, etag: response.headers.get('ETag') };
}

/** Resolves with the response of a call that answers an empty body or a file. @throws Refusal */
export async function answered<R extends ClientResponse<unknown, StatusCode, string>>(
  call: Promise<R>,
): Promise<R> {
  const response = await arrived(call);
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** @throws Refusal where nothing comes */
export async function arrived<T>(coming: Promise<T>): Promise<T> {
  try {
    return await coming;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? Refusal.unanswered('timeout') : Refusal.noAnswer();
  }
}
