import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { actorOf } from '../http/actor-of.ts';
import { readableRows } from '../http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import { notFound, refuse } from '../http/errors.ts';
import { listOf, PAGE_ROWS, readPage, wholeList } from '../http/list-envelope.ts';
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
import { refundInvoice, updateInvoice } from './change-invoices.ts';
import {
  InvoiceEditSchema,
  InvoiceSchema,
  InvoiceWithLinesSchema,
  invoiceFrom,
  invoiceWithLinesFrom,
  RefundSchema,
} from './invoice.ts';
import { InvoiceQuerySchema, readInvoiceQuery } from './invoice-query.ts';
import { countInvoices, findInvoice, type ListedInvoice, listInvoices } from './invoice-store.ts';

const tags = ['Invoices'];

const listRoute = createRoute({
  method: 'get',
  path: '/invoices',
  tags,
  summary: 'Invoices, newest first',
  description:
    'Operators, and accounting systems with a webhook token, see all, customers their own. Lines stand in the single ' +
    'invoice only.',
  request: { query: InvoiceQuerySchema },
  responses: { 200: { description: 'Invoices', content: json(listOf(InvoiceSchema)) }, ...LIST_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}',
  tags,
  summary: 'One invoice',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The invoice', content: json(InvoiceWithLinesSchema) }, ...READ_REFUSALS },
});

const changeRoute = createRoute({
  method: 'put',
  path: '/invoice/{id}',
  tags,
  summary: 'Mark an invoice for accounting, as paid, or say who pays it',
  request: { params: IdParamSchema, body: jsonBody(InvoiceEditSchema) },
  responses: { ...seeOther(InvoiceWithLinesSchema, 'Changed'), ...WRITE_REFUSALS },
});

const refundRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/refund',
  tags,
  summary: 'Mark a paid invoice as refunded',
  description:
    'Once; it leaves the income on the day of the refund, and what it paid of a visit inside is due again. No money is ' +
    'moved by this.',
  request: { params: IdParamSchema, body: jsonBody(RefundSchema) },
  responses: { ...seeOther(InvoiceWithLinesSchema, 'Refunded'), ...WRITE_REFUSALS },
});

export function invoiceRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const query = c.req.valid('query');
      const own = readableRows(callerOf(c, 'account', 'role'));
      const list = await db.read(async (q) => {
        const filters = await readInvoiceQuery(q, query, own);
        if (filters === null) return wholeList<ListedInvoice>([]);
        const { next: cursor } = query;
        return await readPage(
          { cursor, rows: PAGE_ROWS },
          ({ id, createdAt }: ListedInvoice) => ({ rank: 0, at: createdAt, id }),
          (limit) => listInvoices(q, filters, { cursor, limit }),
          () => countInvoices(q, filters),
        );
      });
      return c.json({ ...list, data: list.data.map(invoiceFrom) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const own = readableRows(callerOf(c, 'account', 'role'));
      const invoice = await db.read((q) => findInvoice(q, c.req.valid('param').id, own));
      return invoice === null ? notFound(c, 'invoice') : c.json(invoiceWithLinesFrom(invoice), 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateInvoice(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'invoice', changed);
      return c.json(invoiceWithLinesFrom(changed.invoice), 303, { Location: `/invoice/${id}` });
    })
    .openapi(refundRoute, async (c) => {
      const { id } = c.req.valid('param');
      const refunded = await refundInvoice(db, actorOf(c, clock), id, c.req.valid('json').reason);
      if (!refunded.ok) return refuse(c, 'invoice', refunded);
      return c.json(invoiceWithLinesFrom(refunded.invoice), 303, { Location: `/invoice/${id}` });
    });
}
