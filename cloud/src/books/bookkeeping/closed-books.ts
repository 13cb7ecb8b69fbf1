import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gte, lte, sql } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type ClosedBookRow, closedBookTable as t } from '../../records/books/closed-book-table.ts';
import { DAY_SIGNED, dayCloseTable, SEVERAL_SITES } from '../../records/books/day-close-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import type { BookScope } from './book-scope.ts';
import { BookkeepingPlans } from './bookkeeping-plan.ts';
import { plansOf } from './change-plan.ts';
import {
  type ClosedEntry,
  type ClosedFrame,
  closedEntries,
  corrections,
  packEntries,
  unpackEntries,
} from './closed-entry.ts';
import { bookedAccounts } from './entry-store.ts';
import { readEntries } from './read-entries.ts';

/** Days that were closed so many days before or after are compared again, as the close itself does. */
const COMPARED_AGAIN_DAYS = 35;

interface Signed {
  id: string;
  siteId: string;
  day: string;
}

interface BookContext {
  db: Db;
  publicUrl: () => string;
}

/**
 * Stores the postings of days whose close was signed: from then on they are the same bytes. What has changed in the days
 * that were closed before is booked with the day that is closed next.
 */
export function closedBooksRun(context: BookContext): ScheduledRun {
  const { db } = context;
  return {
    name: 'closed-books',
    everyMs: HOUR_MS,
    wakesOn: DAY_SIGNED,
    isDue: async () => (await db.read((q) => unbooked(q, 1))).length > 0,
    async work({ now, signal }) {
      // Each book compares itself with those before it: one after another.
      for (let [next] = await db.read((q) => unbooked(q, 1)); next !== undefined; ) {
        if (signal.aborted) return;
        await storeBook(context, next, now);
        [next] = await db.read((q) => unbooked(q, 1));
      }
    },
  };
}

/** Closes that are signed and not booked, in the order in which they were signed. */
async function unbooked(q: Queries, limit: number): Promise<Signed[]> {
  const c = dayCloseTable;
  return await q
    .select({ id: c.id, siteId: c.siteId, day: c.day })
    .from(c)
    .where(
      and(eq(c.state, 'signed'), sql`NOT EXISTS (SELECT 1 FROM ${t} its_book WHERE its_book.id = ${c.id})`),
    )
    .orderBy(asc(c.signedAt), asc(c.day), asc(c.id))
    .limit(limit);
}

async function storeBook({ db, publicUrl }: BookContext, close: Signed, now: UtcTime): Promise<void> {
  const { scope, frame } = await db.read((q) => frameOf(q, close.siteId, publicUrl()));
  const entriesOf = async (day: string) => closedEntries(await entriesNow(db, scope, day), frame);
  const books = await db.read((q) => booksOf(q, close), { manyRows: true });
  const booked = books.flatMap(({ entries }) => unpackEntries(entries));
  const late: ClosedEntry[] = [];
  const comparedAgain = books.filter(({ day }) => isNear(day, close.day, COMPARED_AGAIN_DAYS));
  for (const { day } of comparedAgain) {
    const before = booked.filter(({ ofDay }) => ofDay === day);
    for (const entry of corrections(before, await entriesOf(day), close.day)) late.push(entry);
  }
  const entries = [...(await entriesOf(close.day)), ...late];
  const row: ClosedBookRow = { ...close, entries: packEntries(entries), storedAt: now };
  await db.write(async ({ q }) => {
    // Another process may have stored one meanwhile, and the same corrections with it.
    const isSame = (await booksOf(q, close)).length === books.length;
    if (isSame) await q.insert(t).values(row).onConflictDoNothing();
  });
}

function isNear(day: string, other: string, days: number): boolean {
  return day >= dayAfter(other, 0 - days) && day <= dayAfter(other, days);
}

async function entriesNow(db: Db, scope: BookScope, day: string) {
  for await (const page of readEntries(db, scope, { name: day, from: day, to: day })) return page;
  return [];
}

async function frameOf(
  q: Queries,
  siteId: string,
  base: string,
): Promise<{ scope: BookScope; frame: ClosedFrame }> {
  const s = siteTable;
  const sites = await q
    .select({ id: s.id, code: s.code, timeZone: s.timeZone })
    .from(s)
    .where(eq(s.id, siteId));
  const scope = {
    zones: new Map(sites.map(({ id, timeZone }) => [id, timeZone])),
    hasShared: siteId === SEVERAL_SITES,
    accounts: await bookedAccounts(q),
  };
  const frame = {
    plans: new BookkeepingPlans(await plansOf(q, siteId === SEVERAL_SITES ? [] : [siteId])),
    codes: new Map(sites.map(({ id, code }) => [id, code])),
    linkTo: (site: string | null, path: string) => `${base}/console/${site ?? 'all'}/${path}`,
  };
  return { scope, frame };
}

/** The books of the same place around a day, by their day. */
async function booksOf(
  q: Queries,
  { siteId, day }: Pick<Signed, 'siteId' | 'day'>,
): Promise<ClosedBookRow[]> {
  return await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.siteId, siteId),
        // A correction stands in a close that is so far from the day to which it belongs.
        gte(t.day, dayAfter(day, -2 * COMPARED_AGAIN_DAYS)),
        lte(t.day, dayAfter(day, 2 * COMPARED_AGAIN_DAYS)),
      ),
    )
    .orderBy(asc(t.day));
}

/** The places and days of a period that are booked as closed. */
export async function closedDays(
  q: Queries,
  { from, to }: { from: string; to: string },
): Promise<{ siteId: string; day: string }[]> {
  return await q
    .select({ siteId: t.siteId, day: t.day })
    .from(t)
    .where(and(gte(t.day, from), lte(t.day, to)))
    .orderBy(asc(t.day), asc(t.siteId));
}

/** The closed entries of a day at some places, in their order. */
export async function closedOf(
  q: Queries,
  day: string,
  siteIds: ReadonlySet<string>,
): Promise<ClosedEntry[]> {
  const rows = await q.select().from(t).where(eq(t.day, day)).orderBy(asc(t.siteId));
  return rows.filter(({ siteId }) => siteIds.has(siteId)).flatMap(({ entries }) => unpackEntries(entries));
}
