import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { updateCustomer } from '../customers/change-customers.ts';
import {
  type Customer,
  CustomerEditSchema,
  CustomerSchema,
  customerViewFrom,
} from '../customers/customer.ts';
import {
  type CustomerRow,
  countCustomers,
  findCustomer,
  listCustomers,
} from '../customers/customer-store.ts';
import type { Queries } from '../db/db.ts';
import { actorOf } from '../http/actor-of.ts';
import { type OwnRows, ownRows } from '../http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import { notFound, refuse } from '../http/errors.ts';
import { SsnSchema } from '../http/input-fields.ts';
import { CursorParamSchema, listOf, PAGE_ROWS, readPage } from '../http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  WRITE_REFUSALS,
} from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { seeOther } from '../http/see-other.ts';
import { quotaSummary } from '../quotas/quota-summary.ts';
import { createCustomerWithAccount, NewCustomerWithAccountSchema } from './customer-with-account.ts';

const tags = ['Customers'];

const listRoute = createRoute({
  method: 'get',
  path: '/customers',
  tags,
  summary: 'Customers, newest first',
  request: {
    query: z.strictObject({
      collection: z
        .enum(['latest', 'want-monthly-billing'])
        .optional()
        .describe('`latest`: all; `want-monthly-billing`: those with monthly collected invoices.'),
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Part of the name, with or without accents.'),
      email: z.string().trim().min(1).max(254).optional().describe('Part of the address.'),
      ssn: SsnSchema.optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: { 200: { description: 'Customers', content: json(listOf(CustomerSchema)) }, ...LIST_REFUSALS },
});

const newRoute = createRoute({
  method: 'post',
  path: '/customers',
  tags,
  summary: 'Add a customer, with a new account or one that is there',
  request: { body: jsonBody(NewCustomerWithAccountSchema) },
  responses: { ...seeOther(CustomerSchema, 'Added'), ...WRITE_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/customer/{id}',
  tags,
  summary: 'One customer',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The customer', content: json(CustomerSchema) }, ...READ_REFUSALS },
});

const changeRoute = createRoute({
  method: 'put',
  path: '/customer/{id}',
  tags,
  summary: 'Change a customer; its own people change how it is reached, operators all',
  request: { params: IdParamSchema, body: jsonBody(CustomerEditSchema) },
  responses: { ...seeOther(CustomerSchema, 'Changed'), ...WRITE_REFUSALS },
});

export function customerRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const found = await readPage(
          { cursor, rows: PAGE_ROWS },
          ({ createdAt, id }: CustomerRow) => ({ rank: 0, at: createdAt, id }),
          (limit) => listCustomers(q, filters, own, { cursor, limit }),
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
      return c.json(await db.read((q) => shown(q, customer)), 303, { Location: `/customer/${customer.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const customer = await db.read((q) => shownById(q, id, ownRows(callerOf(c, 'account'))));
      return customer === null ? notFound(c, 'customer') : c.json(customer, 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateCustomer(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'customer', changed);
      const { customer } = changed;
      return c.json(await db.read((q) => shown(q, customer)), 303, { Location: `/customer/${id}` });
    });
}

async function shownById(q: Queries, id: string, own: OwnRows): Promise<Customer | null> {
  const row = await findCustomer(q, id, own);
  return row === null ? null : await shown(q, row);
}

async function shown(q: Queries, row: CustomerRow): Promise<Customer> {
  return { ...customerViewFrom(row), quota: await quotaSummary(q, row.id) };
}
