import { createRoute, z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { type Caller, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { SsnSchema } from '../../platform/http/input-fields.ts';
import { readPage, TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import {
  CUSTOMER_ORDERS,
  type CustomerRow,
  countCustomers,
  listCustomers,
  placeOfCustomer,
} from '../../records/customers/customer-store.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { quotaSummary } from '../../records/quotas/quota-summary.ts';
import { publishCustodyOf } from '../../records/vehicles/publish-vehicle.ts';
import { actionsFor } from '../auth/record-actions.ts';
import { updateCustomer } from '../customers/change-customers.ts';
import {
  type Customer,
  CustomerEditSchema,
  CustomerSchema,
  customerViewFrom,
  ShownCustomerSchema,
} from '../customers/customer.ts';
import { CUSTOMER_ACTION_NAMES, CUSTOMER_ACTIONS } from '../customers/customer-actions.ts';
import { createCustomerWithAccount, NewCustomerWithAccountSchema } from './customer-with-account.ts';

const tags = ['Customers'];

const listRoute = createRoute({
  method: 'get',
  path: '/customers',
  tags,
  summary: 'List customers, newest first',
  request: {
    query: z.strictObject({
      collection: z
        .enum(['latest', 'want-monthly-billing'])
        .optional()
        .describe('`latest`: all; `want-monthly-billing`: those with monthly collective invoices.'),
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Part of the name, with or without accents.'),
      email: z.string().trim().min(1).max(254).optional().describe('Part of the address.'),
      ssn: SsnSchema.optional(),
      order: z
        .enum(CUSTOMER_ORDERS)
        .optional()
        .describe(
          '`newest` (default) and `oldest` by creation; `name` and `email` from A to Z, with `-` from Z to A.',
        ),
      next: TextCursorParamSchema.optional().describe(
        'Use it with the same `order` as in the answer that contained it.',
      ),
    }),
  },
  responses: responses.list(CustomerSchema, 'Customers'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/customers',
  tags,
  summary: 'Create a customer, with a new or an existing account',
  request: { body: jsonBody(NewCustomerWithAccountSchema) },
  responses: responses.write(ShownCustomerSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/customer/{id}',
  tags,
  summary: 'Get a customer',
  request: { params: IdParamSchema },
  responses: responses.read(ShownCustomerSchema, 'The customer'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/customer/{id}',
  tags,
  summary: 'Update a customer; its own accounts can change contact details only',
  request: { params: IdParamSchema, body: jsonBody(CustomerEditSchema) },
  responses: responses.edit(ShownCustomerSchema, 'Changed'),
});

export function customerRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, order = 'newest', ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const found = await readPage(
          { cursor },
          placeOfCustomer(order),
          (limit) => listCustomers(q, filters, own, { order, cursor, limit }),
          () => countCustomers(q, filters, own),
        );
        const data: Customer[] = [];
        for (const row of found.data) data.push(await shown(q, row));
        return { ...found, data };
      });
      return c.json(page, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createCustomerWithAccount(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'customer', made);
      const { customer } = made;
      return c.json(await db.read((q) => shownTo(callerOf(c, 'account'), q, customer)), 303, {
        Location: `/customer/${customer.id}`,
      });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      const row = await db.read((q) => findCustomer(q, id, ownRows(caller)));
      if (row === null) return notFound(c, 'customer');
      return c.json(await db.read((q) => shownTo(caller, q, row)), 200, { ETag: etagOf(row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateCustomer(db, actorOf(c, clock), id, c.req.valid('json'), publishCustodyOf);
      if (!changed.ok) return refuseEdit(c, 'customer', changed);
      const { customer } = changed;
      const headers = { Location: `/customer/${id}`, ETag: etagOf(customer) };
      return c.json(await db.read((q) => shownTo(callerOf(c, 'account'), q, customer)), 303, headers);
    });
}

async function shown(q: Queries, row: CustomerRow): Promise<Customer> {
  return { ...customerViewFrom(row), quota: await quotaSummary(q, row.id) };
}

async function shownTo(caller: Caller, q: Queries, row: CustomerRow) {
  const actions = actionsFor(CUSTOMER_ACTION_NAMES, CUSTOMER_ACTIONS, caller, {}, {});
  return { ...(await shown(q, row)), actions };
}
