import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eq, gte, lt, sql } from '../../platform/db/sql.ts';
import { cameraTable } from '../../records/cameras/camera-table.ts';
import { cameraHourTable as t } from '../../records/totals/traffic-table.ts';

const value = sql.placeholder;
const sum = (column: SQLiteColumn) => sql`sum(${column})`.mapWith(Number);

const sums = {
  reads: sum(t.reads),
  unread: sum(t.unread),
  corrected: sum(t.corrected),
  judged: sum(t.judged),
  matched: sum(t.matched),
};
const isAsked = () =>
  and(eq(t.siteId, value('siteId')), gte(t.hour, value('from')), lt(t.hour, value('before')));

const byHourOfDay = prepared((q) =>
  q
    .select({
      laneId: t.laneId,
      cameraId: t.cameraId,
      hourOfDay: sql`(${t.hour} + ${value('offset')}) % 24`.mapWith(Number),
      ...sums,
    })
    .from(t)
    .where(isAsked())
    .groupBy(t.laneId, t.cameraId, sql`3`)
    .prepare(),
);

const inAll = prepared((q) =>
  q
    .select({ laneId: t.laneId, cameraId: t.cameraId, ...sums })
    .from(t)
    .where(isAsked())
    .groupBy(t.laneId, t.cameraId)
    .prepare(),
);

/** The counts of cameras and lanes of a site in one hour of the day, over several days. */
export type CameraSum = Awaited<ReturnType<typeof cameraSums>>[number];

/** @param hours from one until before another; `offset`: the hours that the clock of the site is ahead of UTC */
export async function cameraSums(
  q: Queries,
  hours: { siteId: string; from: number; before: number; offset: number },
) {
  return await byHourOfDay(q).all({ ...hours });
}

/** The same without the hours, which takes half as long. */
export async function cameraTotals(q: Queries, hours: { siteId: string; from: number; before: number }) {
  return await inAll(q).all({ ...hours });
}

export async function listCameraNames(q: Queries) {
  const { id, siteId, remoteId, name, location } = cameraTable;
  return await q.select({ id, siteId, remoteId, name, location }).from(cameraTable);
}
