import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, asc, eq, isNull } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { siteClosingTable } from '../../records/books/day-close-table.ts';
import { sitePresenceTable, siteTable } from '../../records/sites/site-table.ts';
import { makeClose, signIn } from './change-closes.ts';
import { closeOfDay, differencesOf, findClose, todayAt } from './close-store.ts';

/** Days that could not close themselves for so long wait for a person. */
const TRIED_DAYS = 7;
/** A day with differences is compared again now and then: what was missing may have come. */
const COMPARED_EVERY_MS = HOUR_MS;

/** Closes the days of sites that want it, once they are over and without a difference. */
export function closeDaysRun(db: Db): ScheduledRun {
  return {
    name: 'close-days',
    everyMs: 5 * MINUTE_MS,
    isDue: async (now) => (await db.read((q) => openDays(q, now))).length > 0,
    async work({ now, signal }) {
      for (const { siteId, day } of await db.read((q) => openDays(q, now))) {
        if (signal.aborted) return;
        await closeDay(db, now, siteId, day);
      }
    },
  };
}

async function closeDay(db: Db, now: UtcTime, siteId: string, day: string): Promise<void> {
  const actor = cloudActor('day-close', now);
  const made = await makeClose(db, actor, { siteId, day });
  if (!made.ok) return;
  await db.write(async (tx) => {
    const close = await findClose(tx.q, made.id);
    if (close === null || (await differencesOf(tx.q, [made.id])).length > 0) return;
    await signIn(tx, actor, made.id, { revision: close.revision });
  });
}

/** Days that are over, of sites that report now: what a cut line holds back may still belong to them. */
async function openDays(q: Queries, now: UtcTime): Promise<{ siteId: string; day: string }[]> {
  const [c, s, p] = [siteClosingTable, siteTable, sitePresenceTable];
  const sites = await q
    .select({ siteId: c.siteId, fromDay: c.fromDay, timeZone: s.timeZone, connected: p.connected })
    .from(c)
    .innerJoin(s, eq(s.id, c.siteId))
    .leftJoin(p, eq(p.siteId, c.siteId))
    .where(and(eq(c.closesItself, true), isNull(s.archivedAt)))
    .orderBy(asc(c.siteId));
  const days: { siteId: string; day: string }[] = [];
  for (const { siteId, fromDay, timeZone, connected } of sites) {
    if (connected === false) continue;
    const today = todayAt({ timeZone }, now);
    const oldest = dayAfter(today, 0 - TRIED_DAYS);
    for (let day = fromDay > oldest ? fromDay : oldest; day < today; day = dayAfter(day, 1)) {
      if (await isToClose(q, siteId, day, now)) days.push({ siteId, day });
    }
  }
  return days;
}

async function isToClose(q: Queries, siteId: string, day: string, now: UtcTime): Promise<boolean> {
  const close = await closeOfDay(q, { siteId, day });
  if (close === null) return true;
  return close.state === 'open' && close.computedAt < utcTime(millis(now) - COMPARED_EVERY_MS);
}
