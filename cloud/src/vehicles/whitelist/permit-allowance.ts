import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Allowance } from '../../people/auth/allowance.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { EntryRow } from './whitelist-entry.ts';
import { countLiveEntries } from './whitelist-store.ts';

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

/**
 * Whether an edit makes an entry hold for something for which it did not. The time up to now does not count.
 */
export function startsNewAllowance(before: EntryRow, after: EntryRow, now: UtcTime): boolean {
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

/**
 * The points in which an entry exceeds its author's allowance, except its number. @param before absent: it is
 * new
 */
export function allowanceMistakes(
  allowance: Allowance,
  entry: EntryRow,
  now: UtcTime,
  before?: EntryRow,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const anew = before === undefined || startsNewAllowance(before, entry, now);
  if (anew && entry.type === 'visit') mistakes.push(mistake('operators-cover-visits', 'type'));
  if (anew && !isAllowedSite(allowance, entry.siteId)) {
    mistakes.push(mistake('permits-elsewhere', 'siteId', { sites: [...(allowance.sites ?? [])] }));
  }
  if (anew || isLonger(before, entry)) mistakes.push(...endMistakes(allowance, entry, now));
  return mistakes;
}

/**
 * Whether an entry that is to hold is one too many.
 *
 * @param held how many entries of its author hold or will (`countHeld`), and how many are planned beside them
 * @returns the mistake then
 */
export function numberMistake(
  allowance: Allowance | null,
  entry: EntryRow,
  now: UtcTime,
  held: number,
): Mistake | null {
  // An account that may give no permits gives none for the past either.
  if (allowance === null || (allowance.max > 0 && !isLive(entry, now))) return null;
  const { max } = allowance;
  if (allowance.isUndecided) return mistake('no-permits-with-terms');
  return held < max ? null : mistake('permits-used-up', [], { max });
}

/** How many entries of an author hold or will, up to the number that the allowance permits. */
export async function countHeld(
  q: Queries,
  allowance: Allowance | null,
  author: string,
  now: UtcTime,
): Promise<number> {
  return allowance === null ? 0 : await countLiveEntries(q, author, now, allowance.max);
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
