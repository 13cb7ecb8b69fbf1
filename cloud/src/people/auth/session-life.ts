import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { type Actor, hasPermission, type RequestCaller } from '../../platform/http/caller.ts';

type AccountCaller = Extract<RequestCaller, { kind: 'account' }>;

/** A session lasts for a shift, however much it is used. */
export const SESSION_LIFE_MS = 12 * HOUR_MS;

/**
 * The longest idle time of accounts that may move money. Control rooms watch their screens without touching
 * them.
 */
const MONEY_IDLE_MS = 30 * MINUTE_MS;

/** How long a session lasts that awaits something of its holder. */
export const UNFINISHED_SESSION_MS = 10 * MINUTE_MS;

/** How long a proof of identity counts for calls that need a fresh one. */
const STEP_UP_MS = 5 * MINUTE_MS;

/** How long a session may lie idle. */
export function idleMsOf({ role, rights }: Pick<AccountCaller, 'role' | 'rights'>): number {
  return role === 'operator' && hasPermission(rights, 'money') ? MONEY_IDLE_MS : SESSION_LIFE_MS;
}

export function isIdle(caller: AccountCaller, usedAt: UtcTime | null, now: UtcTime): boolean {
  return usedAt === null || millis(now) - millis(usedAt) >= idleMsOf(caller);
}

/**
 * Whether an actor must prove again who they are, for calls of a route that only sometimes need that. Machines and
 * parts of the cloud cannot, as at the routes of the access table.
 */
export function lacksProof({ caller, at }: Pick<Actor, 'caller' | 'at'>): boolean {
  if (caller.kind !== 'account' || caller.role !== 'operator' || caller.session === undefined) return false;
  return steppedUpUntil(caller.session.steppedUpAt, at) === null;
}

/** The time until which the proof counts; null: it no longer does, or there is none. */
export function steppedUpUntil(steppedUpAt: UtcTime | null, now: UtcTime): number | null {
  const until = steppedUpAt === null ? 0 : millis(steppedUpAt) + STEP_UP_MS;
  return until > millis(now) ? until : null;
}
