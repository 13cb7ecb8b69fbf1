import { createRoute } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { refuse } from '../../platform/http/errors.ts';
import { jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { PaymentRefusalsOf } from './actions-of-invoice.ts';
import { InvoiceWithLinesSchema, shownInvoice } from './invoice.ts';
import { purchaseQuota, QuotaPurchaseSchema } from './purchase-quota.ts';

const purchaseRoute = createRoute({
  method: 'post',
  path: '/quotas/purchase',
  tags: ['Quotas'],
  summary: 'Buy prepaid days',
  description:
    'Makes an invoice without a number, at the price of now, which holds for a day. Pay it by card: `POST /payments/init` with ' +
    '`invoice`, or the page of `POST /invoice/{id}/pay-link`. Once the money is here the invoice is issued, and the customer has ' +
    'the units, once: more of the quota of that product, or a new one.',
  request: { body: jsonBody(QuotaPurchaseSchema) },
  responses: responses.write(InvoiceWithLinesSchema, 'The invoice to pay'),
});

/** @param paymentRefusals what is above this folder knows it */
export function purchaseRoutes(
  { db, clock, cardGateways }: Pick<CloudContext, 'db' | 'clock' | 'cardGateways'>,
  paymentRefusals: PaymentRefusalsOf,
) {
  return createRouter().openapi(purchaseRoute, async (c) => {
    const actor = actorOf(c, clock);
    const made = await purchaseQuota(db, actor, c.req.valid('json'));
    if (!made.ok) return refuse(c, 'invoice', made);
    const { id } = made.invoice;
    const shown = await db.read((q) =>
      shownInvoice(q, made.invoice, { ...actor, cardGateways, paymentRefusals }),
    );
    return c.json(shown, 303, { Location: `/invoice/${id}` });
  });
}
