import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DriverSchema } from '@hlid/protocol/pages/driver-api';
import { createRoute, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { inputError, notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { PlateSchema } from '../../platform/http/input-fields.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findDriver } from '../../records/drivers/driver-store.ts';
import {
  changeDriverLogin,
  deleteDriver,
  findOfficeDriver,
  type OfficeDriver,
  officeDriver,
} from './office-drivers.ts';

const tags = ['Drivers'];

const OfficeDriverSchema = z
  .strictObject({
    id: z.string(),
    ...DriverSchema.shape,
    createdOn: UtcTimeSchema,
    usedOn: UtcTimeSchema.describe('The time of the last login or automatic payment.'),
  })
  .meta({ id: 'Driver' });

const LoginEditSchema = z
  .strictObject({
    email: z
      .email()
      .max(254)
      .optional()
      .describe('The address to which links to log in are mailed from now on.'),
    electronicId: DriverSchema.shape.electronicId
      .nullable()
      .optional()
      .describe('Null disconnects the electronic identity. Nothing else about it can be changed.'),
  })
  .meta({ id: 'DriverLoginEdit', example: { email: 'anna@example.is' } });

const listRoute = createRoute({
  method: 'get',
  path: '/drivers',
  tags,
  summary: 'Find a driver with a stored card',
  description: 'By the whole mail address, or by a whole plate. Nobody gets a list of all drivers.',
  request: {
    query: z.strictObject({ email: z.email().max(254).optional(), plate: PlateSchema.optional() }),
  },
  responses: responses.list(OfficeDriverSchema, 'The driver, or nobody'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/drivers/{id}',
  tags,
  summary: 'Get a driver',
  request: { params: IdParamSchema },
  responses: responses.read(OfficeDriverSchema, 'The driver'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/drivers/{id}',
  tags,
  summary: 'Move the login of a driver to another mail address, or disconnect the electronic identity',
  description: 'Ends all sessions of the driver. Only the driver connects an electronic identity.',
  request: { params: IdParamSchema, body: jsonBody(LoginEditSchema) },
  responses: responses.edit(OfficeDriverSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/drivers/{id}',
  tags,
  summary: 'Delete a driver, with card, vehicles and sessions; payments and invoices stay',
  request: { params: IdParamSchema },
  responses: responses.delete('Deleted'),
});

/** Drivers' accounts, for operators who help a driver. */
export function officeDriverRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const by = c.req.valid('query');
      if ((by.email === undefined) === (by.plate === undefined)) {
        return inputError(c, mistake('email-or-plate', 'email'));
      }
      const found = await db.read((q) => findOfficeDriver(q, by));
      return c.json(wholeList(found === null ? [] : [shown(found)]), 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findDriver(q, id));
      if (row === null) return notFound(c, 'driver');
      const driver = await db.read((q) => officeDriver(q, row));
      return c.json(shown(driver), 200, { ETag: etagOf(row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { email, electronicId } = c.req.valid('json');
      const edit = { email, ...(electronicId === null && { electronicId }) };
      const changed = await changeDriverLogin(db, actorOf(c, clock), id, edit);
      if (!changed.ok) return refuseEdit(c, 'driver', changed);
      return c.json(shown(changed), 303, { Location: `/drivers/${id}`, ETag: etagOf(changed.row) });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteDriver(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'driver', deleted);
    });
}

/** The driver without the national id, which no operator needs to read. */
function shown({ row, view }: OfficeDriver): z.infer<typeof OfficeDriverSchema> {
  return { id: row.id, ...view, createdOn: row.createdAt, usedOn: row.usedAt };
}
