import { type Mistake, mistake } from '@hlid/protocol/mistake';
import { DAY_MS, MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { AccountOptions } from '../accounts/record/account-table.ts';
import type { Queries } from '../db/db.ts';
import type { EntryRow } from './whitelist-entry.ts';
import { countLiveEntries } from './whitelist-store.ts';

/** What an author that is no operator may give by itself. */
export interface Allowance {
  /** Null: at every site. */
  sites: readonly string[] | null;
  /** The longest an entry may hold, and how long it holds unless it says otherwise. Null: without end. */
  minutes: number | null;
  /** Entries that hold, or will. */
  max: number;
  /** Whether it may cover the rest of a stay that has begun. */
  afterArrival: boolean;
  /** The minutes of a stay that it may cover although they are past. */
  parkedMinutes: number;
}

/** Guests for a day: what is left to say for an operator is who may give more, or nothing. */
const USUAL = { minutes: DAY_MS / MINUTE_MS, max: 10 } as const;

export function allowanceOf(options: AccountOptions): Allowance {
  const { expireTime, permitSites, maxPermits, permitAfterArrival, permitWithoutEnd } = options;
  return {
    sites: permitSites ?? null,
    minutes: permitWithoutEnd === true ? null : (expireTime ?? USUAL.minutes),
    max: maxPermits ?? USUAL.max,
    afterArrival: permitAfterArrival ?? true,
    parkedMinutes: options['free-parking-time'] ?? 0,
  };
}

/** When an entry ends that begins then and does not name its end. */
export function latestEnd({ minutes }: Allowance, from: UtcTime): UtcTime | null {
  return minutes === null ? null : utcTime(millis(from) + minutes * MINUTE_MS);
}

/** The one site of the allowance, where it has just one. */
export function onlySite({ sites }: Allowance): string | null {
  return sites?.length === 1 ? (sites[0] ?? null) : null;
}

/**
 * An entry as it may begin: not before now, so that nothing which is over gets covered later. What is past of a stay
 * counts as the allowance has it.
 */
export function beginNow(
  entry: EntryRow,
  { afterArrival, parkedMinutes }: Allowance,
  now: UtcTime,
): EntryRow {
  const { activeFrom } = entry;
  return {
    ...entry,
    activeFrom: activeFrom === null || activeFrom < now ? now : activeFrom,
    arrivalsOnly: !afterArrival,
    parkedMinutes: afterArrival ? parkedMinutes : 0,
  };
}

/** Whether an edit makes an entry hold for something for which it did not. The time up to now is not in that. */
export function beginsAnew(before: EntryRow, after: EntryRow, now: UtcTime): boolean {
  if (after.status !== 'active') return false;
  return (
    !isLive(before, now) ||
    before.status !== 'active' ||
    before.plate !== after.plate ||
    before.siteId !== after.siteId ||
    before.activeFrom !== after.activeFrom ||
    JSON.stringify(before.rules) !== JSON.stringify(after.rules)
  );
}

/** In what an entry goes beyond the allowance of who makes it, but for its number. @param before absent: it is new */
export function allowanceMistakes(
  allowance: Allowance,
  entry: EntryRow,
  now: UtcTime,
  before?: EntryRow,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const anew = before === undefined || beginsAnew(before, entry, now);
  if (anew && entry.type === 'visit') mistakes.push(mistake('operators-cover-visits', 'type'));
  if (anew && !isAllowedSite(allowance, entry.siteId)) {
    mistakes.push(mistake('permits-elsewhere', 'siteId', { sites: [...(allowance.sites ?? [])] }));
  }
  if (anew || isLonger(before, entry)) mistakes.push(...endMistakes(allowance, entry, now));
  return mistakes;
}

/**
 * Whether an entry that is to hold is one too many. @param planned entries beside those that are there
 *
 * @returns what to say then
 */
export async function numberMistake(
  q: Queries,
  allowance: Allowance | null,
  entry: EntryRow,
  now: UtcTime,
  planned = 0,
): Promise<Mistake | null> {
  if (allowance === null || !isLive(entry, now)) return null;
  const { max } = allowance;
  const held = await countLiveEntries(q, entry.author, now, max);
  return held + planned < max ? null : mistake('permits-used-up', [], { max });
}

/** Whether an entry holds, or will, or would if it were not paused. */
export function isLive({ status, expireAt }: EntryRow, now: UtcTime): boolean {
  return status !== 'deleted' && (expireAt === null || expireAt > now);
}

function isAllowedSite({ sites }: Allowance, siteId: string | null): boolean {
  return sites === null || (siteId !== null && sites.includes(siteId));
}

function isLonger(before: EntryRow, { expireAt }: EntryRow): boolean {
  if (before.expireAt === null) return false;
  return expireAt === null || expireAt > before.expireAt;
}

function endMistakes(allowance: Allowance, { activeFrom, expireAt }: EntryRow, now: UtcTime): Mistake[] {
  const latest = latestEnd(allowance, activeFrom !== null && activeFrom > now ? activeFrom : now);
  if (latest === null || (expireAt !== null && expireAt <= latest)) return [];
  return [mistake('permit-too-long', 'expireOn', { minutes: allowance.minutes ?? 0, latest })];
}
