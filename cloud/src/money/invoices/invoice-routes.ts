import { nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { createRoute } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { type OwnRows, readableRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { readPage, wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { PaymentRefusalsOf } from './actions-of-invoice.ts';
import { updateInvoice } from './change-invoices.ts';
import { findInvoice } from './find-invoice.ts';
import {
  type Invoice,
  InvoiceEditSchema,
  InvoiceSchema,
  InvoiceWithLinesSchema,
  shownInvoice,
  shownInvoices,
} from './invoice.ts';
import { InvoiceQuerySchema, readInvoiceQuery } from './invoice-query.ts';
import { countInvoices, type InvoiceWithCustomer, listInvoices, placeOfInvoice } from './invoice-store.ts';

const tags = ['Invoices'];

const listRoute = createRoute({
  method: 'get',
  path: '/invoices',
  tags,
  summary: 'List invoices, newest first',
  description:
    'Operators, and accounting systems with a webhook token, see all, customers their own. Only the ' +
    'single invoice has lines.',
  request: { query: InvoiceQuerySchema },
  responses: responses.list(InvoiceSchema, 'Invoices'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}',
  tags,
  summary: 'Get an invoice',
  description:
    'Also that of a card payment that is under way, by the id of the payment: its `paymentState` is `pending`. Of one whose ' +
    'site has not reported the amount yet, the price is 0.',
  request: { params: IdParamSchema },
  responses: responses.read(InvoiceWithLinesSchema, 'The invoice'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/invoice/{id}',
  tags,
  summary: 'Update an invoice: its accounting status, payment status or payer',
  request: { params: IdParamSchema, body: jsonBody(InvoiceEditSchema) },
  responses: responses.write(InvoiceWithLinesSchema, 'Changed'),
});

/** The invoice of a payment that is under way, which is not stored yet; null: there is none such for the caller. */
type PendingInvoice = (
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
) => Promise<InvoiceWithCustomer | null>;

/** @param pendingInvoice what is above this folder knows it, and `paymentRefusals` */
export function invoiceRoutes(
  { db, clock, cardGateways }: CloudContext,
  pendingInvoice: PendingInvoice,
  paymentRefusals: PaymentRefusalsOf,
) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const query = c.req.valid('query');
      const own = readableRows(callerOf(c, 'account', 'role'));
      const list = await db.read(async (q) => {
        const filters = await readInvoiceQuery(q, query, own);
        if (filters === null) return wholeList<Invoice>([]);
        const { next: cursor, order = 'newest' } = query;
        const page = await readPage(
          { cursor },
          placeOfInvoice(order),
          (limit) => listInvoices(q, filters, { order, cursor, limit }),
          () => countInvoices(q, filters),
        );
        return { ...page, data: await shownInvoices(q, page.data) };
      });
      return c.json(list, 200);
    })
    .openapi(getRoute, async (c) => {
      const caller = callerOf(c, 'account', 'role');
      const [own, at] = [readableRows(caller), nowUtc(clock)];
      const { id } = c.req.valid('param');
      const invoice = await db.read(async (q) => {
        const row = (await findInvoice(q, id, own)) ?? (await pendingInvoice(q, id, own, at));
        return row === null
          ? null
          : await shownInvoice(q, row, { caller, at, cardGateways, paymentRefusals });
      });
      return invoice === null ? notFound(c, 'invoice') : c.json(invoice, 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const changed = await updateInvoice(db, actor, id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'invoice', changed);
      const shown = await db.read((q) =>
        shownInvoice(q, changed.invoice, { ...actor, cardGateways, paymentRefusals }),
      );
      return c.json(shown, 303, { Location: `/invoice/${id}` });
    });
}
