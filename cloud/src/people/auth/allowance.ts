import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { AccountOptions } from '../../records/accounts/account-table.ts';

/** The permits that an author who is no operator may give by itself. */
export interface Allowance {
  /** Null: at every site. */
  sites: readonly string[] | null;
  /** The longest time that an entry may hold, and the default time. Null: without end. */
  minutes: number | null;
  /** Entries that hold, or will. */
  max: number;
  /** Whether it may cover the rest of a stay that has begun. */
  afterArrival: boolean;
  /** The minutes of a stay that it may cover although they are past. */
  parkedMinutes: number;
  /** Its customer is billed, and whether it gives permits is undecided: it gives none. */
  isUndecided: boolean;
}

/** Guests for a day. An operator decides only who may give more, or nothing. */
const USUAL = { minutes: DAY_MS / MINUTE_MS, max: 10 } as const;

/**
 * The permits that an account may give by its options. Where they decide nothing, people of a customer that
 * is billed give none: their permits would make free what the customer has agreed to pay.
 */
export function allowanceOf(options: AccountOptions, isBilled = false): Allowance {
  const { expireTime, permitSites, maxPermits, permitAfterArrival, permitWithoutEnd } = options;
  const { managesStaff: _, ...limits } = options;
  const isUndecided = isBilled && Object.values(limits).every((value) => value === undefined);
  return {
    sites: permitSites ?? null,
    minutes: permitWithoutEnd === true ? null : (expireTime ?? USUAL.minutes),
    max: isUndecided ? 0 : (maxPermits ?? USUAL.max),
    afterArrival: permitAfterArrival ?? true,
    parkedMinutes: options['free-parking-time'] ?? 0,
    isUndecided,
  };
}

/** Whether an allowance gives something that the one before does not. */
export function isLarger(before: Allowance, after: Allowance): boolean {
  if (after.max === 0) return false;
  if (before.max === 0) return true;
  const { sites: were } = before;
  const hasMoreSites = were !== null && !(after.sites?.every((site) => were.includes(site)) ?? false);
  const isLonger = before.minutes !== null && (after.minutes === null || after.minutes > before.minutes);
  return (
    hasMoreSites ||
    isLonger ||
    after.max > before.max ||
    (after.afterArrival && !before.afterArrival) ||
    after.parkedMinutes > before.parkedMinutes
  );
}

/** Whether options never give more than the own ones, whether or not the customer is billed. */
export function isWithin(own: AccountOptions, given: AccountOptions): boolean {
  return [true, false].every(
    (isBilled) => !isLarger(allowanceOf(own, isBilled), allowanceOf(given, isBilled)),
  );
}
