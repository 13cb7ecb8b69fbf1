import { mistake } from '@hlid/protocol/mistake';
import { createRoute } from '@hono/zod-openapi';
import { ALL_ROWS } from '../http/caller.ts';
import { actorOf, type CoreContext } from '../http/cloud-env.ts';
import { conflict, inputError, notFound, refusal, refuse } from '../http/errors.ts';
import { IdParamSchema, jsonBody, responses } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { InvoiceWithLinesSchema, invoiceWithLinesFrom, RefundSchema } from '../invoices/invoice.ts';
import type { OnlineRefunds } from '../online-payments/refund-online.ts';
import { refundInvoice } from './refund-invoice.ts';

const refundRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/refund',
  tags: ['Invoices'],
  summary: 'Refund a paid invoice',
  description:
    'Once. The amount leaves the income on the day of the refund. For a visit inside it is due ' +
    'again. An online payment is refunded to the card, the whole or an `amount` of it; a part does ' +
    'not change the visit. No other money is moved.',
  request: { params: IdParamSchema, body: jsonBody(RefundSchema) },
  responses: {
    ...responses.write(InvoiceWithLinesSchema, 'Refunded, or ordered if the provider has not answered yet'),
    409: refusal('The provider cannot refund it'),
  },
});

export function refundRoutes({ db, clock }: CoreContext, online: OnlineRefunds) {
  return createRouter().openapi(refundRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { reason, amount = null } = c.req.valid('json');
    const actor = actorOf(c, clock);
    if (await online.isOnline(id)) {
      const given = await online.refund(actor, id, { amountMinor: amount, reason });
      if (!given.ok)
        return given.reason === 'not-possible'
          ? conflict(c, mistake('refund-not-possible'))
          : refuse(c, 'invoice', given);
      const invoice = await db.read((q) => findInvoice(q, id, ALL_ROWS));
      if (invoice === null) return notFound(c, 'invoice');
      return c.json(invoiceWithLinesFrom(invoice), 303, { Location: `/invoice/${id}` });
    }
    if (amount !== null) return inputError(c, mistake('refund-whole-only', 'amount'));
    const refunded = await refundInvoice(db, actor, id, reason);
    if (!refunded.ok) return refuse(c, 'invoice', refunded);
    return c.json(invoiceWithLinesFrom(refunded.invoice), 303, { Location: `/invoice/${id}` });
  });
}
