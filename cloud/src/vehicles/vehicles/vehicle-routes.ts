import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import { actionsFor } from '../../people/auth/record-actions.ts';
import { type Caller, type OwnRows, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { PART_OF_PLATE, PlateSchema } from '../../platform/http/input-fields.ts';
import { readPage, TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import { jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { overrideFrom, VehicleSchema, vehicleFrom } from '../../records/vehicles/vehicle.ts';
import { OverrideEditSchema, OverrideSchema } from '../../records/vehicles/vehicle-override.ts';
import {
  countVehicles,
  listVehicles,
  placeOfVehicle,
  VEHICLE_ORDERS,
} from '../../records/vehicles/vehicle-store.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';
import { isInCustody } from '../../records/vehicles/vehicles-in-custody.ts';
import type { Lookup } from './ask-registry.ts';
import { knownHolders } from './known-holders.ts';
import { OVERRIDE_ACTION_NAMES, OVERRIDE_ACTIONS, OverrideActionsSchema } from './override-actions.ts';
import { overrideVehicle } from './override-vehicle.ts';
import { findVehicle, lookUpVehicle } from './vehicle-lookup.ts';

const tags = ['Vehicles'];

/** The overrides with what their reader can do with them. */
const ShownOverrideSchema = z
  .strictObject({ ...OverrideSchema.shape, actions: OverrideActionsSchema })
  .meta({ id: 'VehicleOverrideWithActions' });

const PlateParamSchema = z.object({
  plate: z.string().openapi({
    param: { name: 'plate', in: 'path' },
    description: 'The plate in any spelling, the id, or the fixed id (`permno`).',
    example: 'ABX12',
  }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/vehicles',
  tags,
  summary: 'List vehicles, newest first; operators see all, others those in their custody',
  request: {
    query: z.strictObject({
      overridden: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .describe('Whether a person has overridden the register.'),
      collection: z
        .enum(['latest', 'custody', 'heavy'])
        .optional()
        .describe('`latest`: all; `custody`: in custody now; `heavy`: of that category.'),
      plate: PlateSchema.optional().describe(`${PART_OF_PLATE} Equal plates come first.`),
      order: z
        .enum(VEHICLE_ORDERS)
        .optional()
        .describe(
          'Vehicles that have no plate now come last by `plate`, in both directions. Default: `newest`.',
        ),
      next: TextCursorParamSchema.optional(),
    }),
  },
  responses: responses.list(VehicleSchema, 'Vehicles'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/vehicle/{plate}',
  tags,
  summary: 'Get a vehicle; looked up in the vehicle register if missing or outdated',
  request: { params: PlateParamSchema },
  responses: responses.read(VehicleSchema, 'The vehicle'),
});

const overridesRoute = createRoute({
  method: 'get',
  path: '/vehicle/{plate}/override',
  tags,
  summary: 'Get the overrides of a vehicle',
  request: { params: PlateParamSchema },
  responses: responses.read(ShownOverrideSchema, 'The overrides'),
});

const overrideRoute = createRoute({
  method: 'post',
  path: '/vehicle/{plate}/override',
  tags,
  summary: 'Override fields of a vehicle; pushed to sites immediately',
  request: { params: PlateParamSchema, body: jsonBody(OverrideEditSchema) },
  responses: responses.write(ShownOverrideSchema, 'Set'),
});

export function vehicleRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, order = 'newest', ...filters } = c.req.valid('query');
      const asking = { own: ownRows(callerOf(c, 'account')), now: nowUtc(clock) };
      const page = await db.read(async (q) => {
        const mayKnow = await knownHolders(q, asking.own);
        const found = await readPage(
          { cursor },
          placeOfVehicle(order),
          (limit) => listVehicles(q, filters, asking, { order, cursor, limit }),
          () => countVehicles(q, filters, asking),
        );
        return { ...found, data: found.data.map(({ vehicle }) => vehicleFrom(vehicle, asking.now, mayKnow)) };
      });
      return c.json(page, 200);
    })
    .openapi(getRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account'));
      const result = (await maySee(plate, own))
        ? await lookUpVehicle(context, plate)
        : ({ found: 'nothing' } satisfies Lookup);
      if (result.found !== 'vehicle') {
        return notFound(c, result.found === 'no-answer' ? 'vehicle-known' : 'vehicle');
      }
      const mayKnow = await db.read((q) => knownHolders(q, own));
      return c.json(vehicleFrom(result.vehicle, nowUtc(clock), mayKnow), 200);
    })
    .openapi(overridesRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const vehicle = await db.read((q) => findVehicle(q, plate));
      return vehicle === null
        ? notFound(c, 'vehicle')
        : c.json(overridesFor(callerOf(c, 'account'), vehicle), 200);
    })
    .openapi(overrideRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const set = await overrideVehicle(db, actorOf(c, clock), plate, c.req.valid('json'));
      if (!set.ok) return refuse(c, 'vehicle', set);
      const name = nameOf(set.vehicle);
      const Location = `/vehicle/${encodeURIComponent(name)}/override`;
      return c.json(overridesFor(callerOf(c, 'account'), set.vehicle), 303, { Location });
    });

  async function maySee(plate: string, own: OwnRows): Promise<boolean> {
    if (own.all) return true;
    return await db.read(async (q) => {
      const vehicle = await findVehicle(q, plate);
      return vehicle !== null && (await isInCustody(q, vehicle.id, nowUtc(clock), own.customerId));
    });
  }
}

function overridesFor(caller: Caller, vehicle: VehicleRow): z.infer<typeof ShownOverrideSchema> {
  const actions = actionsFor(OVERRIDE_ACTION_NAMES, OVERRIDE_ACTIONS, caller, {}, {});
  return { ...overrideFrom(vehicle, nameOf(vehicle)), actions };
}

/** The name of a vehicle in an address. */
function nameOf({ plate, id }: VehicleRow): string {
  return plate ?? id;
}
