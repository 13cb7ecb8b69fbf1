import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { askedPeriod } from '../../../platform/day-span.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { type OwnRows, ownRows } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { inputError, notFound, refuse } from '../../../platform/http/errors.ts';
import { DayOrMomentSchema, PlateSchema, SsnSchema } from '../../../platform/http/input-fields.ts';
import { CursorParamSchema, placeByCreation, readPage } from '../../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
} from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { commonTimeZone } from '../../../records/sites/choose-site.ts';
import { lookUpVehicle } from '../vehicle-lookup.ts';
import { createCustodian, releaseCustodian } from './change-custodians.ts';
import {
  custodianFor,
  IncludeSchema,
  type NewCustodian,
  NewCustodianSchema,
  ShownCustodianSchema,
} from './custodian.ts';
import { type CustodianFilters, countCustodians, findCustodian, listCustodians } from './custodian-store.ts';
import { showCustodians } from './show-custodians.ts';

const tags = ['Custodians'];

const listRoute = createRoute({
  method: 'get',
  path: '/custodians',
  tags,
  summary: 'List custodians of vehicles, newest first',
  request: {
    query: z.strictObject({
      include: IncludeSchema.optional(),
      plate: PlateSchema.optional(),
      vehicle: z.string().optional().describe('A vehicle’s id.'),
      customer: z.string().optional().describe('A customer’s id.'),
      name: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe('Part of the customer’s name, with or without accents.'),
      ssn: SsnSchema.optional().describe('The customer’s.'),
      account: z.string().optional().describe('An account’s id.'),
      'date.from': DayOrMomentSchema.optional().describe('Custody that lasts until this time or longer.'),
      'date.to': DayOrMomentSchema.optional().describe(
        'Custody that begins by then; a day includes all of it.',
      ),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ShownCustodianSchema, 'Custodies'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/custodians',
  tags,
  summary: 'Create a custodian of a vehicle; pushed to sites immediately',
  description:
    'Visits that began before the custody keep their customer, their pictures and their amount due. ' +
    'Only an operator may let it begin in the past, or for a vehicle that is registered to somebody ' +
    'else.',
  request: { body: jsonBody(NewCustodianSchema) },
  responses: responses.write(ShownCustodianSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/custodians/{id}',
  tags,
  summary: 'Get a custodian',
  request: { params: IdParamSchema, query: z.strictObject({ include: IncludeSchema.optional() }) },
  responses: {
    200: { description: 'The custody', content: json(ShownCustodianSchema) },
    ...LIST_REFUSALS,
    ...READ_REFUSALS,
  },
});

const releaseRoute = createRoute({
  method: 'delete',
  path: '/custodians/{id}',
  tags,
  summary: 'Release a vehicle; the custodian is archived',
  request: { params: IdParamSchema },
  responses: responses.delete('Released'),
});

export function custodianRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, include = [], ...query } = c.req.valid('query');
      const asking = { caller: callerOf(c, 'account'), now: nowUtc(clock) };
      const own = ownRows(asking.caller);
      const page = await db.read(async (q) => {
        const filters = await readCustodianPeriod(q, query);
        const found = await readPage(
          { cursor },
          placeByCreation,
          (limit) => listCustodians(q, filters, own, { cursor, limit }),
          () => countCustodians(q, filters, own),
        );
        return { ...found, data: await showCustodians(q, found.data, include, asking) };
      });
      return c.json(page, 200);
    })
    .openapi(newRoute, async (c) => {
      const body = c.req.valid('json');
      if (!(await hasBeenLookedUp(ownRows(callerOf(c, 'account')), body)))
        return inputError(c, mistake('registry-silent', 'plate'));
      const made = await createCustodian(db, actorOf(c, clock), body);
      if (!made.ok) return refuse(c, 'custodian', made);
      const { custodian } = made;
      return c.json(custodianFor(callerOf(c, 'account'), custodian), 303, {
        Location: `/custodians/${custodian.id}`,
      });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { include = [] } = c.req.valid('query');
      const asking = { caller: callerOf(c, 'account'), now: nowUtc(clock) };
      const [shown] = await db.read(async (q) => {
        const row = await findCustodian(q, id, ownRows(asking.caller));
        return row === null ? [] : await showCustodians(q, [row], include, asking);
      });
      return shown === undefined ? notFound(c, 'custodian') : c.json(shown, 200);
    })
    .openapi(releaseRoute, async (c) => {
      const { id } = c.req.valid('param');
      const released = await releaseCustodian(db, actorOf(c, clock), id);
      return released.ok ? c.body(null, 204) : refuse(c, 'custodian', released);
    });

  /** Whether the register has reported the owner of a vehicle; operators give custody without that. */
  async function hasBeenLookedUp(own: OwnRows, { plate, vehicleId }: NewCustodian): Promise<boolean> {
    const name = plate ?? vehicleId;
    if (own.all || name === undefined) return true;
    return (await lookUpVehicle(context, name)).found !== 'no-answer';
  }
}

/** Turns the days of a query into moments, where the sites are; days and moments are both included. */
export async function readCustodianPeriod(
  q: Queries,
  query: CustodianFilters & { 'date.from'?: string | undefined; 'date.to'?: string | undefined },
): Promise<CustodianFilters> {
  const { 'date.from': first, 'date.to': last, ...filters } = query;
  if (first === undefined && last === undefined) return filters;
  return { ...filters, ...askedPeriod({ first, last }, await commonTimeZone(q)) };
}
