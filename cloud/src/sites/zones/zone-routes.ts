import { createRoute, z } from '@hono/zod-openapi';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type Caller, ownRows, seesSite } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { correctOccupancy, createZone, deleteZone, updateZone } from './change-zones.ts';
import {
  NewZoneSchema,
  OccupancyEditSchema,
  occupancyFrom,
  ShownOccupancySchema,
  ShownZoneSchema,
  type Zone,
  ZoneEditSchema,
  ZoneSchema,
} from './zone.ts';
import {
  OCCUPANCY_ACTION_NAMES,
  OCCUPANCY_ACTIONS,
  ZONE_ACTION_NAMES,
  ZONE_ACTIONS,
} from './zone-actions.ts';
import { countedIn, zonesWithOccupancy, zoneWithOccupancy } from './zone-occupancy.ts';
import { findZone, listCorrections, listZones } from './zone-store.ts';

const tags = ['Zones'];

const listRoute = createRoute({
  method: 'get',
  path: '/zones',
  tags,
  summary: 'List zones, newest first',
  request: { query: z.strictObject({ siteId: z.string().optional() }) },
  responses: responses.list(ZoneSchema, 'Zones'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/zones',
  tags,
  summary: 'Create a zone',
  request: { body: jsonBody(NewZoneSchema) },
  responses: responses.write(ShownZoneSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/zones/{id}',
  tags,
  summary: 'Get a zone',
  request: { params: IdParamSchema },
  responses: responses.read(ShownZoneSchema, 'The zone'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/zones/{id}',
  tags,
  summary: 'Update a zone; pushed to its site immediately',
  request: { params: IdParamSchema, body: jsonBody(ZoneEditSchema) },
  responses: responses.edit(ShownZoneSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/zones/{id}',
  tags,
  summary: 'Delete a zone; removed from its site immediately',
  request: { params: IdParamSchema },
  responses: responses.delete('Deleted'),
});

const occupancyRoute = createRoute({
  method: 'get',
  path: '/zones/{id}/occupancy',
  tags,
  summary: 'Get how full a zone is, with its corrections',
  request: { params: IdParamSchema },
  responses: responses.read(ShownOccupancySchema, 'The occupancy'),
});

const correctRoute = createRoute({
  method: 'put',
  path: '/zones/{id}/occupancy',
  tags,
  summary: 'Correct the number of cars inside a zone; pushed to its site immediately',
  description:
    'Entries and exits count on from there. The site decides by it whether it is full, and its own capacity counts the ' +
    'corrections of all its zones.',
  request: { params: IdParamSchema, body: jsonBody(OccupancyEditSchema) },
  responses: responses.write(ShownOccupancySchema, 'Corrected'),
});

const SHOWN_CORRECTIONS = 20;

async function occupancyById(q: Queries, id: string, caller: Caller) {
  const zone = await findZone(q, id);
  if (zone === null) return null;
  const counted = await countedIn(q, zone);
  const { siteId } = zone;
  return {
    ...occupancyFrom(zone, counted, await listCorrections(q, id, SHOWN_CORRECTIONS)),
    actions: actionsFor(OCCUPANCY_ACTION_NAMES, OCCUPANCY_ACTIONS, caller, { siteId }, { counted }),
  };
}

/** A zone with what its reader can do with it. */
function shownZone(zone: Zone, caller: Caller): z.infer<typeof ShownZoneSchema> {
  const { siteId } = zone;
  return { ...zone, actions: actionsFor(ZONE_ACTION_NAMES, ZONE_ACTIONS, caller, { siteId }, {}) };
}

export function zoneRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { siteId } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account', 'role'));
      const zones = await db.read(async (q) => {
        const rows = await listZones(q, siteId);
        return await zonesWithOccupancy(
          q,
          rows.filter((row) => seesSite(own, row.siteId)),
        );
      });
      return c.json(wholeList(zones), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createZone(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'zone', made);
      const zone = await db.read((q) => zoneWithOccupancy(q, made.zone));
      return c.json(shownZone(zone, callerOf(c, 'account')), 303, { Location: `/zones/${made.zone.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findZone(q, id));
      if (row === null) return notFound(c, 'zone');
      const zone = await db.read((q) => zoneWithOccupancy(q, row));
      return c.json(shownZone(zone, callerOf(c, 'account', 'role')), 200, { ETag: etagOf(row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateZone(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'zone', changed);
      const zone = await db.read((q) => zoneWithOccupancy(q, changed.zone));
      return c.json(shownZone(zone, callerOf(c, 'account')), 303, {
        Location: `/zones/${id}`,
        ETag: etagOf(changed.zone),
      });
    })
    .openapi(occupancyRoute, async (c) => {
      const { id } = c.req.valid('param');
      const occupancy = await db.read((q) => occupancyById(q, id, callerOf(c, 'account')));
      return occupancy === null ? notFound(c, 'zone') : c.json(occupancy, 200);
    })
    .openapi(correctRoute, async (c) => {
      const { id } = c.req.valid('param');
      const corrected = await correctOccupancy(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!corrected.ok) return refuse(c, 'zone', corrected);
      const occupancy = await db.read((q) => occupancyById(q, id, callerOf(c, 'account')));
      if (occupancy === null) return notFound(c, 'zone');
      return c.json(occupancy, 303, { Location: `/zones/${id}/occupancy` });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteZone(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'zone', deleted);
    });
}
