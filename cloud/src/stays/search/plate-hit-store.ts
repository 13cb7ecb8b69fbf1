import { foldPlate } from '@hlid/protocol/plate/plate';
import { nearKeys } from '@hlid/protocol/plate/plate-search';
import type { PaymentStatus, ReviewFlag, VisitStatus } from '@hlid/protocol/records/visit';
import { type SQL, sql } from 'drizzle-orm';
import { shownId, shownTime } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { plateRange } from '../../platform/db/search-key.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { rowOf } from '../../platform/http/keyset.ts';
import { ofSite, ofSites } from '../../platform/http/list-rows.ts';
import { photoTable as photo } from '../../records/photos/photo-table.ts';
import { vehicleTable as vehicle } from '../../records/vehicles/vehicle-table.ts';
import { visitTable as t } from '../../records/visits/visit-table.ts';
import type { PlateReason } from './search.ts';

/** Visits of each kind of match. */
const MAX_HITS = 50;
/** So many beginnings of plates are sorted at most by the newest visit. */
const MIN_PREFIX = 3;

/** A found visit as the database has it. */
export interface FoundVisit {
  id: string;
  match: PlateReason;
  siteId: string;
  plate: string;
  startedAt: string;
  endedAt: string | null;
  status: VisitStatus;
  paymentStatus: PaymentStatus | null;
  flags: string;
  entryLaneId: string | null;
  exitLaneId: string | null;
  photoId: string | null;
  make: string | null;
  model: string | null;
  color: string | null;
}

export function flagsOf({ flags }: FoundVisit): ReviewFlag[] {
  return JSON.parse(flags);
}

/**
 * Visits of a plate as it was typed, and of plates like it: all that are inside, and otherwise the newest of each plate.
 * Each way goes by an index and ends early, however many visits there are.
 *
 * @param plate normalised
 */
export async function findByTypedPlate(
  q: Queries,
  plate: string,
  own: OwnRows,
  siteId: string | undefined,
): Promise<FoundVisit[]> {
  const key = foldPlate(plate);
  const near = JSON.stringify(nearKeys(plate));
  const { from, before } = plateRange(plate);
  const visible = visibleTo(own, siteId);
  const newest = sql`ORDER BY ${t.startedAt} DESC, ${rowOf(t.id)} DESC`;
  const nearKey = sql`near.value`;
  const withKey = (condition: SQL) => sql`SELECT ${t.id} FROM ${t} WHERE ${condition} AND ${visible}`;
  const isLonger = sql`${t.plateFolded} > ${from} AND ${t.plateFolded} < ${before}`;
  const ways: (readonly [PlateReason, SQL])[] = [
    ['equal', sql`${withKey(sql`${t.plate} = ${plate}`)} ${newest} LIMIT ${MAX_HITS}`],
    [
      'confusable',
      sql`${withKey(sql`${t.plateFolded} = ${key} AND +${t.plate} <> ${plate}`)} ${newest} LIMIT ${MAX_HITS}`,
    ],
    [
      'near',
      sql`SELECT (${withKey(sql`${t.plateFolded} = ${nearKey}`)} ${newest} LIMIT 1) FROM json_each(${near}) AS near`,
    ],
    [
      'near',
      sql`${withKey(sql`${t.endedAt} IS NULL AND ${t.plateFolded} IN (SELECT value FROM json_each(${near}))`)}
        ${newest} LIMIT ${MAX_HITS}`,
    ],
    ['prefix', sql`${withKey(sql`${t.endedAt} IS NULL AND ${isLonger}`)} ${newest} LIMIT ${MAX_HITS}`],
    ...(key.length < MIN_PREFIX
      ? []
      : [['prefix', sql`${withKey(isLonger)} ${newest} LIMIT ${MAX_HITS}`] as const]),
  ];
  const found = sql.join(
    ways.map(([match, way]) => sql`SELECT ${sql.raw(`'${match}'`)} AS match, * FROM (${way})`),
    sql` UNION ALL `,
  );
  return await q.all<FoundVisit>(sql`
    WITH found (match, id) AS (${found})
    SELECT ${shownId(t.id)} AS "id", found.match AS "match", ${shownId(t.siteId)} AS "siteId", ${t.plate} AS "plate",
      ${shownTime(t.startedAt)} AS "startedAt", ${shownTime(t.endedAt)} AS "endedAt", ${t.status} AS "status",
      ${t.paymentStatus} AS "paymentStatus", ${t.flags} AS "flags", ${t.entryLaneId} AS "entryLaneId",
      ${t.exitLaneId} AS "exitLaneId", ${photoId} AS "photoId",
      coalesce(${vehicle.overrides} ->> 'make', ${vehicle.make}) AS "make",
      coalesce(${vehicle.overrides} ->> 'model', ${vehicle.model}) AS "model",
      coalesce(${vehicle.overrides} ->> 'color', ${vehicle.color}) AS "color"
    FROM found JOIN ${t} ON ${t.id} = found.id LEFT JOIN ${vehicle} ON ${vehicle.plate} = ${t.plate}`);
}

const photoId = sql`coalesce(
  (SELECT ${shownId(photo.id)} FROM ${photo} WHERE ${photo.id} = ${t.entryReadId} AND ${photo.url} IS NOT NULL),
  (SELECT ${shownId(photo.id)} FROM ${photo} WHERE ${photo.id} = ${t.exitReadId} AND ${photo.url} IS NOT NULL))`;

/** Behind a plus a column is compared without its index: the plate leads. */
function visibleTo(own: OwnRows, siteId: string | undefined): SQL {
  const siteIds = sitesOf(own);
  const conditions = [
    siteId === undefined ? sql`1` : ofSite(t.siteId, siteId),
    ofSites(t.siteId, siteIds) ?? sql`1`,
    own.all ? sql`1` : own.customerId === null ? sql`0` : sql`+${t.customerId} = ${own.customerId}`,
  ];
  return sql.join(conditions, sql` AND `);
}
