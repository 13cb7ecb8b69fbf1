import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { askedPeriod } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { DayOrMomentSchema, PART_OF_PLATE, PlateSchema } from '../../platform/http/input-fields.ts';
import { findCamera, listCameras } from '../../records/cameras/find-cameras.ts';
import type { PhotoFilters } from '../../records/photos/photo-store.ts';
import { commonTimeZone, siteById } from '../../records/sites/choose-site.ts';

/** The query of `GET /photos`, but for `next`. */
export const PhotoQuerySchema = z.strictObject({
  collection: z
    .enum(['need-review'])
    .optional()
    .describe('`need-review`: photos that a person has to review, oldest first.'),
  plate: PlateSchema.optional().describe(PART_OF_PLATE),
  date: z.iso.date().optional().describe("The day of arrival, in the site's time zone."),
  'date.from': DayOrMomentSchema.optional(),
  'date.to': DayOrMomentSchema.optional().describe('A day includes all of it.'),
  siteId: z.string().optional(),
  'camera.id': z.string().optional(),
  'camera.location': z.enum(['entrance', 'exit']).optional(),
});
export type PhotoQuery = z.infer<typeof PhotoQuerySchema>;

/**
 * The filters of a query, its days turned into moments where the camera's site is; of the caller's sites
 * only.
 */
export async function readPhotoQuery(q: Queries, query: PhotoQuery, own: OwnRows): Promise<PhotoFilters> {
  const { collection, plate, date, siteId, 'date.from': first, 'date.to': last, ...of } = query;
  const { 'camera.id': cameraId, 'camera.location': location } = of;
  const camera = cameraId === undefined ? null : await findCamera(q, cameraId);
  const placeId = camera?.siteId ?? siteId;
  const site = placeId === undefined ? null : await siteById(q, placeId);
  const timeZone = site?.timeZone ?? (await commonTimeZone(q));
  const day = askedPeriod({ first: date, last: date }, timeZone);
  const period = askedPeriod({ first, last }, timeZone);
  return {
    needReview: collection === 'need-review',
    plate,
    from: [day.from, period.from].filter(isGiven).sort().at(-1),
    before: [day.before, period.before].filter(isGiven).sort().at(0),
    siteIds: sitesOf(own),
    siteId,
    cameras: await camerasOf(q, cameraId === undefined ? null : camera ? [camera] : [], location),
  };
}

type Camera = Awaited<ReturnType<typeof listCameras>>[number];

async function camerasOf(
  q: Queries,
  named: Camera[] | null,
  location: PhotoQuery['camera.location'],
): Promise<PhotoFilters['cameras']> {
  if (named === null && location === undefined) return null;
  const cameras = named ?? (await listCameras(q, {}));
  return cameras.filter((camera) => location === undefined || camera.location === location);
}

function isGiven(time: UtcTime | undefined): time is UtcTime {
  return time !== undefined;
}
