import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { alias } from 'drizzle-orm/sqlite-core';
import { daySpan } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gte, inArray, ne, sql, unindexed } from '../../platform/db/sql.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { cameraTable } from '../../records/cameras/camera-table.ts';
import { reviewAnswerTable as a } from '../../records/review/review-table.ts';
import { commonTimeZone } from '../../records/sites/choose-site.ts';
import { countWaiting, MAX_COUNTED } from './review-queue.ts';

/** Cameras are judged by the answers of this number of days. */
const JUDGED_DAYS = 30;
/** The speed of a reviewer is that of the last minutes. */
const SPEED_MINUTES = 10;
const MAX_DISAGREEMENTS = 50;

const plate = z.string().nullable().describe('Null: no plate is readable.');
const count = z.int().min(0);

export const ReviewSummarySchema = z
  .strictObject({
    waiting: count.max(MAX_COUNTED).describe(`Pictures that need a person; ${MAX_COUNTED}: or more.`),
    oldestOn: UtcTimeSchema.nullable().describe('When the oldest of them came; null: none waits.'),
    reviewers: z
      .array(
        z.strictObject({
          accountId: z.string(),
          name: z.string(),
          today: count.describe('Answers today, without skipped pictures.'),
          perMinute: z.number().min(0).describe(`The answers a minute in the last ${SPEED_MINUTES} minutes.`),
          compared: count.describe(`Pictures of the last ${JUDGED_DAYS} days that another person saw, too.`),
          agreed: count.describe('The same answer by both.'),
        }),
      )
      .describe('The people who have answered lately, by name.'),
    cameras: z
      .array(
        z.strictObject({
          siteId: z.string(),
          remoteId: z.string(),
          name: z.string().nullable().describe('Null: not registered.'),
          reviewed: count.describe(`Pictures that a person decided in the last ${JUDGED_DAYS} days.`),
          misread: count.describe('Another plate than the camera had.'),
          unreadable: count.describe('No plate, for a person either.'),
          hours: z
            .array(z.strictObject({ hour: z.int().min(0).max(23), reviewed: count, misread: count }))
            .describe(
              'The same by the hour of the picture, by the clock of the site; hours without answers are left out.',
            ),
        }),
      )
      .describe('The worst first.'),
    disagreements: z
      .array(
        z.strictObject({
          id: z.string().describe('The photo’s.'),
          siteId: z.string(),
          first: z.strictObject({ accountId: z.string(), plate, on: UtcTimeSchema }),
          second: z.strictObject({ accountId: z.string(), plate, on: UtcTimeSchema }),
        }),
      )
      .describe('Pictures that two people see differently, the oldest first: answer them to decide.'),
  })
  .meta({ id: 'ReviewSummary' });
export type ReviewSummary = z.infer<typeof ReviewSummarySchema>;

export async function reviewSummary(
  q: Queries,
  siteIds: readonly string[] | null,
  now: UtcTime,
): Promise<ReviewSummary> {
  const { waiting, oldest } = await countWaiting(q, siteIds);
  return {
    waiting,
    oldestOn: oldest,
    reviewers: await reviewersOf(q, siteIds, now),
    cameras: await camerasOf(q, siteIds, now),
    disagreements: await disagreementsOf(q, siteIds),
  };
}

function judgedSince(now: UtcTime): UtcTime {
  return utcTime(millis(now) - JUDGED_DAYS * DAY_MS);
}

const answered = ne(a.kind, 'skip');

async function reviewersOf(
  q: Queries,
  siteIds: readonly string[] | null,
  now: UtcTime,
): Promise<ReviewSummary['reviewers']> {
  const timeZone = await commonTimeZone(q);
  const today = daySpan(wallClock(now, timeZone).date, timeZone).from;
  const lately = utcTime(millis(now) - SPEED_MINUTES * MINUTE_MS);
  const rows = await q
    .select({
      accountId: a.accountId,
      today: sql<number>`sum(${a.answeredAt} >= ${today})`,
      lately: sql<number>`sum(${a.answeredAt} > ${lately})`,
    })
    .from(a)
    .where(and(gte(a.answeredAt, judgedSince(now)), answered, ofSites(a.siteId, siteIds)))
    // The rows are found by their time: answers are kept for months.
    .groupBy(sql`+${a.accountId}`);
  const pairs = await q
    .select({ first: first.accountId, second: a.accountId, agrees: a.agrees })
    .from(a)
    .innerJoin(first, and(eq(first.photoId, unindexed(a.photoId)), eq(first.kind, 'first')))
    .where(and(gte(a.answeredAt, judgedSince(now)), eq(a.kind, 'blind'), ofSites(a.siteId, siteIds)));
  const names = await namesOf(
    q,
    rows.map(({ accountId }) => accountId),
  );
  return rows
    .map(({ accountId, ...counted }) => {
      const own = pairs.filter((pair) => pair.first === accountId || pair.second === accountId);
      return {
        accountId,
        name: names.get(accountId) ?? accountId,
        today: counted.today,
        perMinute: counted.lately / SPEED_MINUTES,
        compared: own.length,
        agreed: own.filter(({ agrees }) => agrees).length,
      };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

const first = alias(a, 'first_answer');
const final = alias(a, 'final_answer');

async function namesOf(q: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await q
    .select({ id: accountTable.id, name: accountTable.name })
    .from(accountTable)
    .where(inArray(accountTable.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function camerasOf(
  q: Queries,
  siteIds: readonly string[] | null,
  now: UtcTime,
): Promise<ReviewSummary['cameras']> {
  const rows = await q
    .select({
      siteId: a.siteId,
      remoteId: a.cameraId,
      name: cameraTable.name,
      hour: a.hour,
      reviewed: sql<number>`count(*)`,
      misread: sql<number>`sum(${a.misread} IS 1)`,
      unreadable: sql<number>`sum(${a.plate} IS NULL)`,
    })
    .from(a)
    .leftJoin(cameraTable, and(eq(cameraTable.siteId, a.siteId), eq(cameraTable.remoteId, a.cameraId)))
    .where(and(gte(a.answeredAt, judgedSince(now)), eq(a.kind, 'first'), ofSites(a.siteId, siteIds)))
    .groupBy(a.siteId, a.cameraId, a.hour);
  const cameras = new Map<string, ReviewSummary['cameras'][number]>();
  for (const { siteId, remoteId, name, hour, reviewed, misread, unreadable } of rows) {
    const key = `${siteId} ${remoteId}`;
    const none = { siteId, remoteId, name, reviewed: 0, misread: 0, unreadable: 0, hours: [] };
    const camera = cameras.get(key) ?? none;
    cameras.set(key, {
      ...camera,
      reviewed: camera.reviewed + reviewed,
      misread: camera.misread + misread,
      unreadable: camera.unreadable + unreadable,
      hours: [...camera.hours, { hour, reviewed, misread }],
    });
  }
  const rate = ({ misread, reviewed }: ReviewSummary['cameras'][number]) => misread / reviewed;
  return [...cameras.values()].sort((one, other) => rate(other) - rate(one));
}

async function disagreementsOf(
  q: Queries,
  siteIds: readonly string[] | null,
): Promise<ReviewSummary['disagreements']> {
  const rows = await q
    .select({ second: a, first })
    .from(a)
    .innerJoin(first, and(eq(first.photoId, a.photoId), eq(first.kind, 'first')))
    .leftJoin(final, and(eq(final.photoId, a.photoId), eq(final.kind, 'final')))
    .where(and(sql`${a.agrees} = 0`, sql`${final.id} IS NULL`, ofSites(a.siteId, siteIds)))
    .orderBy(asc(a.answeredAt), asc(a.id))
    .limit(MAX_DISAGREEMENTS);
  const shown = ({ accountId, plate: seen, answeredAt }: typeof a.$inferSelect) => ({
    accountId,
    plate: seen,
    on: answeredAt,
  });
  return rows.map((row) => ({
    id: row.second.photoId,
    siteId: row.second.siteId,
    first: shown(row.first),
    second: shown(row.second),
  }));
}
