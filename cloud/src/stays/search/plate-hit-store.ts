import { foldPlate } from '@hlid/protocol/plate/plate';
import { nearKeys } from '@hlid/protocol/plate/plate-search';
import type { Queries } from '../../platform/db/db.ts';
import { plateRange } from '../../platform/db/search-key.ts';
import { eq, isNull, type SQL, sql } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { rowOf } from '../../platform/http/keyset.ts';
import { ofSite, ofSites } from '../../platform/http/list-rows.ts';
import { photoTable as photo } from '../../records/photos/photo-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { visitTable as t } from '../../records/visits/visit-table.ts';
import { ofVehicle } from '../visits/list/visit-json.ts';
import type { PlateReason } from './search.ts';

/** Visits of each kind of match. */
const MAX_HITS = 50;
/** A shorter beginning is of too many plates to sort them by the newest visit. */
const MIN_PREFIX = 3;

export type FoundVisit = Awaited<ReturnType<typeof findByTypedPlate>>[number];

/**
 * Visits of a plate as it was typed, and of plates like it: all that are inside, and otherwise the newest of each plate.
 * Each way goes by an index and ends early, however many visits there are.
 *
 * @param plate normalised
 */
export async function findByTypedPlate(q: Queries, plate: string, own: OwnRows, siteId: string | undefined) {
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
      sql`${withKey(sql`${isNull(t.endedAt)} AND ${t.plateFolded} IN (SELECT value FROM json_each(${near}))`)}
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
  return await q
    .select({
      id: t.id,
      match: sql<PlateReason>`found.match`,
      siteId: t.siteId,
      plate: sql<string>`${t.plate}`,
      startedAt: t.startedAt,
      endedAt: t.endedAt,
      status: t.status,
      paymentStatus: t.paymentStatus,
      flags: t.flags,
      entryLaneId: t.entryLaneId,
      exitLaneId: t.exitLaneId,
      photoId,
      make: ofVehicle('make'),
      model: ofVehicle('model'),
      color: ofVehicle('color'),
    })
    .from(sql`(${found}) AS found`)
    .innerJoin(t, sql`${t.id} = found.id`)
    .leftJoin(vehicleTable, eq(vehicleTable.plate, t.plate));
}

const pictureOf = (readId: typeof t.entryReadId | typeof t.exitReadId) =>
  sql`(SELECT ${photo.id} FROM ${photo} WHERE ${eq(photo.id, readId)} AND ${photo.url} IS NOT NULL)`;
const photoId: SQL<string | null> =
  sql`coalesce(${pictureOf(t.entryReadId)}, ${pictureOf(t.exitReadId)})`.mapWith(photo.id);

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
