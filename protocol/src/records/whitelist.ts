import { z } from 'zod';
import { DAY_MINUTES, MINUTE_MS } from '../base/durations.ts';
import { wrong } from '../base/mistakes/mistake.ts';
import { dailyWindow, lastMinuteOf, minuteOfDay, WallTimeSchema, wallClock } from '../base/site-time.ts';
import { millis, type UtcTime, UtcTimeSchema, utcTime } from '../base/utc-time.ts';
import { isLookalike } from '../plate/plate.ts';
import { platesBesideBand } from '../plate/plate-band.ts';
import type { Period } from '../tariff/price-visit.ts';

const NO_WEEKDAY = wrong('weekday-form');

/** When in the week a permit holds, by the wall clock of the site; a window may cross midnight. */
export const WeeklyRuleSchema = z
  .strictObject({
    /** 1 Monday to 7 Sunday. */
    weekdays: z
      .array(z.int(NO_WEEKDAY).min(1, NO_WEEKDAY).max(7, NO_WEEKDAY))
      .min(1, wrong('no-weekday'))
      .max(7, wrong('weekday-twice')),
    from: WallTimeSchema.default('00:00'),
    /** The end of the window, including that minute. */
    to: WallTimeSchema.default('23:59'),
  })
  .meta({ id: 'WeeklyRule' });

/** A whitelist entry as a site's decisions see it. */
export const PermitSchema = z
  .strictObject({
    id: z.string().min(1),
    /** Normalised. */
    plate: z.string().min(1),
    effect: z.enum(['allow', 'block']),
    /** `time` holds from `activeFrom` to `expireAt`; `visit` covers the whole of one visit. */
    type: z.enum(['permanent', 'time', 'visit']),
    visitId: z.string().nullable(),
    activeFrom: UtcTimeSchema.nullable(),
    expireAt: UtcTimeSchema.nullable(),
    status: z.enum(['active', 'paused']),
    /** Empty: always. */
    rules: z.array(WeeklyRuleSchema),
    /** True: it covers nothing of a stay that began before `activeFrom`. Absent: it covers the time from then on. */
    arrivalsOnly: z.boolean().optional(),
    /** The first minutes of a stay that are covered too, if it began before `activeFrom`. */
    parkedMinutes: z.int().min(0).optional(),
  })
  .meta({ id: 'Permit' });
export type Permit = z.infer<typeof PermitSchema>;

/** Whether the permit holds at this moment. */
export function permitHolds(permit: Permit, at: UtcTime, timeZone: string): boolean {
  if (permit.status !== 'active') return false;
  if (permit.activeFrom !== null && at < permit.activeFrom) return false;
  if (permit.expireAt !== null && at >= permit.expireAt) return false;
  return permit.rules.length === 0 || permit.rules.some((rule) => ruleHolds(rule, at, timeZone));
}

/** The time that a permit covers of a stay: all of a visit for a permit of that visit, else while it holds. */
export function coveredPeriods(
  permit: Permit,
  stay: Period & { visitId: string },
  timeZone: string,
): Period[] {
  if (permit.status !== 'active' || permit.effect !== 'allow') return [];
  if (permit.type === 'visit')
    return permit.visitId === stay.visitId ? [{ from: stay.from, to: stay.to }] : [];
  const begunBefore = permit.activeFrom !== null && stay.from < permit.activeFrom;
  if (begunBefore && permit.arrivalsOnly === true) return [];
  const life = overlap(stay, {
    from: permit.activeFrom ?? stay.from,
    to: permit.expireAt ?? stay.to,
  });
  const later = life === null ? [] : ruledPeriods(permit, life, timeZone);
  return begunBefore ? [...parkedPeriod(permit, stay), ...later] : later;
}

/** The start of a stay that the permit covers although it began later; nothing of one that was over by then. */
function parkedPeriod({ activeFrom, parkedMinutes = 0 }: Permit, { from, to }: Period): Period[] {
  if (parkedMinutes === 0 || activeFrom === null || activeFrom > to) return [];
  const end = utcTime(millis(from) + parkedMinutes * MINUTE_MS);
  return [{ from, to: end < to ? end : to }];
}

/** The time within the permit's life in which its weekly rules hold. */
function ruledPeriods({ rules }: Permit, life: Period, timeZone: string): Period[] {
  if (rules.length === 0) return [life];
  return rules.flatMap((rule) =>
    [...dailyWindow(life.from, life.to, { startTime: rule.from, endTime: rule.to }, timeZone)]
      .filter(({ weekday }) => rule.weekdays.includes(weekday))
      .map(({ from, to }) => ({ from, to })),
  );
}

function overlap(a: Period, b: Period): Period | null {
  const from = a.from > b.from ? a.from : b.from;
  const to = a.to < b.to ? a.to : b.to;
  return from < to ? { from, to } : null;
}

function ruleHolds(rule: z.infer<typeof WeeklyRuleSchema>, at: UtcTime, timeZone: string): boolean {
  const { minute, weekday } = wallClock(at, timeZone);
  const from = minuteOfDay(rule.from);
  const last = lastMinuteOf({ startTime: rule.from, endTime: rule.to });
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  return (
    (rule.weekdays.includes(weekday) && minute >= from && minute <= last) ||
    (rule.weekdays.includes(yesterday) && minute + DAY_MINUTES <= last)
  );
}

/** A plate as a camera read it, to be looked for in the list. */
export interface ReadForList {
  plate: string;
  score: number;
  /** The country that the camera reports: ISO 3166 alpha-2. */
  country?: string | null;
}

/**
 * The permit that may open for a plate: a valid permit with an equal plate, or one with a similar plate. A
 * similar plate differs only by characters that cameras mix up, by the spelling of a letter, or by the
 * country's letters. It counts only if the score is high enough and no other entry, blocked plates included,
 * is similar. A permit of one visit opens for that visit only.
 *
 * @param listed every entry like the plate, whatever its state (`platesToList`)
 * @param site `visitId`: of the visit that leaves; none at an entrance
 */
export function matchPermit(
  read: ReadForList,
  listed: readonly Permit[],
  at: UtcTime,
  site: { timeZone: string; confusableScore: number; visitId?: string | null },
): { permit: Permit; foundBy: 'equal' | 'confusable' } | null {
  const { visitId = null } = site;
  const holding = listed.filter(
    (permit) =>
      permit.effect === 'allow' &&
      (permit.type !== 'visit' || (visitId !== null && permit.visitId === visitId)) &&
      permitHolds(permit, at, site.timeZone),
  );
  const equal = holding.find((permit) => permit.plate === read.plate);
  if (equal) return { permit: equal, foundBy: 'equal' };
  const lookalike = holding.find((permit) => isLikeListed(read, permit.plate));
  const onePlate = new Set(listed.map((permit) => permit.plate)).size === 1;
  if (lookalike === undefined || !onePlate || read.score < site.confusableScore) return null;
  return { permit: lookalike, foundBy: 'confusable' };
}

/** The plates to search a list with for a plate; the search uses their folded keys. */
export function platesToList(plate: string, country: string | null): string[] {
  return [plate, ...platesBesideBand(plate, country)];
}

function isLikeListed(
  { plate, country = null }: Pick<ReadForList, 'plate' | 'country'>,
  other: string,
): boolean {
  return platesToList(plate, country).some((each) => isLookalike(each, other));
}

/** Whether a blocklist entry that holds names this plate, or one that looks like it. */
export function matchBlock(
  read: Pick<ReadForList, 'plate' | 'country'>,
  listed: readonly Permit[],
  at: UtcTime,
  timeZone: string,
): 'equal' | 'lookalike' | null {
  const holding = listed.filter((permit) => permit.effect === 'block' && permitHolds(permit, at, timeZone));
  if (holding.some((permit) => permit.plate === read.plate)) return 'equal';
  return holding.some((permit) => isLikeListed(read, permit.plate)) ? 'lookalike' : null;
}
