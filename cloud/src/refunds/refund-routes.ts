import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { actorOf, type CloudEnv, type CoreContext } from '../http/cloud-env.ts';
import { refuse } from '../http/errors.ts';
import { IdParamSchema, jsonBody, responses } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { InvoiceWithLinesSchema, invoiceWithLinesFrom, RefundSchema } from '../invoices/invoice.ts';
import { refundInvoice } from './refund-invoice.ts';

const refundRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/refund',
  tags: ['Invoices'],
  summary: 'Mark a paid invoice as refunded',
  description:
    'Once; it leaves the income on the day of the refund, and what it paid of a visit inside is due again. No money is ' +
    'moved by this.',
  request: { params: IdParamSchema, body: jsonBody(RefundSchema) },
  responses: responses.write(InvoiceWithLinesSchema, 'Refunded'),
});

export function refundRoutes({ db, clock }: CoreContext): OpenAPIHono<CloudEnv> {
  return createRouter().openapi(refundRoute, async (c) => {
    const { id } = c.req.valid('param');
    const refunded = await refundInvoice(db, actorOf(c, clock), id, c.req.valid('json').reason);
    if (!refunded.ok) return refuse(c, 'invoice', refunded);
    return c.json(invoiceWithLinesFrom(refunded.invoice), 303, { Location: `/invoice/${id}` });
  });
}
