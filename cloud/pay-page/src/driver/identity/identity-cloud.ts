import type { Language } from '@hlid/protocol/base/language';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import { ELECTRONIC_ID_STATES, type ElectronicIdState } from '@hlid/protocol/words/electronic-id-words';
import { isObject, request } from '../../pay-cloud.ts';
import type { Begun, IdentityPurpose, Ringing } from './identity-state.ts';

/** The result of a call; `lost`: it is unknown if the call arrived. */
export type IdentityAnswer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'too-many'; retryAfterSeconds: number }
  | { kind: 'bad-input' }
  /** The session has ended, or for `connect` the driver is logged in no more. */
  | { kind: 'gone' }
  | { kind: 'lost' };

export interface Status {
  state: ElectronicIdState;
  /** The time to wait, given with `pending`. */
  waitSeconds: number;
  /** The token, given with `success` of a login. */
  token: string | null;
}

/** A login for which a person is named. */
export interface Start {
  session: string;
  method: string;
  /** The name of the input, and what was typed. */
  input: string;
  typed: string;
  language: Language;
  device: string;
}

export async function begin(
  purpose: IdentityPurpose,
  token: string | null,
  signal: AbortSignal,
): Promise<IdentityAnswer<Begun>> {
  if (purpose === 'driver') return await call(ELECTRONIC_ID_PATHS.init, { purpose }, readBegun, signal);
  return await call(DRIVER_PATHS.connectElectronicId, {}, readBegun, signal, token ?? '');
}

export async function authenticate(start: Start, signal: AbortSignal): Promise<IdentityAnswer<Ringing>> {
  const { session, method, input, typed, language, device } = start;
  const body = { session, method, [input]: typed, language, device_uuid: device };
  const readStarted = ({ code, bearerToken }: Record<string, unknown>): Ringing | null =>
    typeof code === 'string' && typeof bearerToken === 'string' ? { session, code, bearerToken } : null;
  return await call(ELECTRONIC_ID_PATHS.authenticate, body, readStarted, signal);
}

export async function check(
  { session, bearerToken }: Ringing,
  signal: AbortSignal,
): Promise<IdentityAnswer<Status>> {
  return await call(ELECTRONIC_ID_PATHS.status, { session, bearerToken }, readStatus, signal);
}

async function call<T>(
  path: string,
  body: object,
  read: (content: Record<string, unknown>) => T | null,
  signal: AbortSignal,
  token?: string,
): Promise<IdentityAnswer<T>> {
  const reply = await request(path, { signal, body, ...(token !== undefined && { token }) });
  if (reply === null || !isObject(reply.content)) return { kind: 'lost' };
  const { ok, status, content } = reply;
  const value = ok ? read(content) : null;
  if (value !== null) return { kind: 'ok', value };
  if (status === 429) return { kind: 'too-many', retryAfterSeconds: reply.retryAfter };
  if (status === 400) return { kind: 'bad-input' };
  return status === 401 || status === 403 || status === 404 ? { kind: 'gone' } : { kind: 'lost' };
}

function readBegun({ session, methods }: Record<string, unknown>): Begun | null {
  if (typeof session !== 'string' || !Array.isArray(methods)) return null;
  return { session, methods: methods.filter(isMethod) };
}

function isMethod(value: unknown): value is Begun['methods'][number] {
  return isObject(value) && typeof value['id'] === 'string' && Array.isArray(value['inputs']);
}

function readStatus({ status, wait, data }: Record<string, unknown>): Status | null {
  const state = ELECTRONIC_ID_STATES.find((one) => one === status);
  const given = isObject(data) ? data['bearerToken'] : null;
  if (state === undefined || typeof wait !== 'number') return null;
  return { state, waitSeconds: wait, token: typeof given === 'string' ? given : null };
}
