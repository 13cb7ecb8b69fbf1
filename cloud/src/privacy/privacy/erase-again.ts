import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { parseNewer } from '@hlid/protocol/base/read-newer';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { SiteChangeBodySchema } from '@hlid/protocol/site-link/site-change';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, lt, sql } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { feedChangeTable } from '../../records/feed/feed-table.ts';
import { laneAlertTable, passageDecisionTable } from '../../records/passages/passage-table.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import { vehicleAbsenceTable } from '../../records/vehicles/vehicle-table.ts';
import { compactFeed } from '../../sites/feed/compact-feed.ts';
import { eraseLoose } from '../../stays/photos/store-picture.ts';
import { takePlatesOff } from '../retention/erase-visit-plates.ts';
import { inTurns } from '../retention/in-turns.ts';
import { logErased, retentionActor } from '../retention/retention-log.ts';
import { eraseReads } from './erase-plate.ts';
import { plateRows } from './plate-rows.ts';

/** A site that has not taken the change for this long takes the snapshot: older changes spell the plate. */
const FEED_KEPT_MS = DAY_MS;

interface ErasedAtSite {
  n: number;
  plate: string;
  before: UtcTime;
}

/**
 * Erases a plate again at sites that may have reported it before they received the change. When a site has
 * the change, its reports of the plate from before the request are erased again. The change itself, the last
 * place that spells the plate, goes with them. Unsettled items stay.
 */
export function erasureRepeatJob(parts: { db: Db; pictures: ObjectStorage }): ScheduledRun {
  const { db } = parts;
  return {
    name: 'plates-erased-again',
    everyMs: HOUR_MS,
    async work({ now, signal }) {
      for (const { site, presence } of await db.read(listSites)) {
        for (const erased of await db.read((q) => erasedAt(q, site.id))) {
          if (signal.aborted) return;
          if ((presence?.feedAt ?? 0) >= erased.n) {
            const keys = await db.write((tx) => eraseAgain(tx, site.id, erased, now));
            for (const key of keys) await eraseLoose(parts, key);
            const head = await db.read((q) => readHead(q, site.id));
            await compactFeed(db, site.id, head.n - erased.n);
          } else if (millis(now) - millis(erased.before) > FEED_KEPT_MS) {
            await compactFeed(db, site.id, 0);
          }
        }
      }
    },
  };
}

async function erasedAt(q: Queries, siteId: string): Promise<ErasedAtSite[]> {
  const { n, change } = feedChangeTable;
  const rows = await q
    .select({ n, change })
    .from(feedChangeTable)
    // The condition matches the index feed_change_erase.
    .where(and(eq(feedChangeTable.siteId, siteId), sql`kind = 'erase'`))
    .orderBy(asc(n));
  return rows.flatMap((row) => {
    const body = parseNewer(SiteChangeBodySchema, JSON.parse(row.change));
    return body.kind === 'erase' ? [{ n: row.n, ...body.item }] : [];
  });
}

async function eraseAgain(
  tx: Tx,
  siteId: string,
  { plate, before }: ErasedAtSite,
  now: UtcTime,
): Promise<string[]> {
  const { q } = tx;
  const rows = await plateRows(q, plate);
  const visits = rows.visits.filter(
    (visit) => visit.siteId === siteId && visit.startedAt < before && visit.status === 'completed',
  );
  const photos = rows.photos.filter((photo) => photo.siteId === siteId && photo.receivedAt < before);
  const keys = await eraseReads(tx, { photos }, now);
  await inTurns(visits, (some) => takePlatesOff(tx, some, now));
  const passages = new Set(photos.map(({ passageId }) => passageId));
  const decisions = rows.decisions.filter(({ passageId }) => passages.has(passageId));
  for (const { id } of decisions) await q.delete(passageDecisionTable).where(eq(passageDecisionTable.id, id));
  await q
    .delete(laneAlertTable)
    .where(
      and(eq(laneAlertTable.siteId, siteId), eq(laneAlertTable.plate, plate), lt(laneAlertTable.at, before)),
    );
  await q.delete(vehicleAbsenceTable).where(eq(vehicleAbsenceTable.key, plate));
  const total = visits.length + photos.length + decisions.length;
  await logErased(tx, { kind: 'plate-request', rows: total, before }, retentionActor(now));
  return keys;
}
