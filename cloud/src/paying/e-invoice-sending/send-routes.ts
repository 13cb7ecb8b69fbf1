import { createRoute } from '@hono/zod-openapi';
import { InvoiceWithLinesSchema, shownInvoice } from '../../money/invoices/invoice.ts';
import { paymentRefusals } from '../../money/payments/payment-of-invoice.ts';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { conflict, REFUSALS, refuse } from '../../platform/http/errors.ts';
import { IdParamSchema, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { sendInvoice } from './send-again.ts';

const sendRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/send',
  tags: ['Invoices'],
  summary: 'Send an invoice electronically',
  description:
    'To the customer’s address in the network, by the access point of its site: one that was refused, after what was wrong ' +
    'is mended, in a new attempt with the same document; or one whose customer did not want that when it was issued. ' +
    '`eInvoice` of the invoice shows how far it is. What an access point has, or may have, is not sent twice (409).',
  request: { params: IdParamSchema },
  responses: {
    ...responses.write(InvoiceWithLinesSchema, 'It will be sent'),
    ...REFUSALS.conflict,
  },
});

export function sendRoutes({ db, clock, cardGateways }: CloudContext) {
  return createRouter().openapi(sendRoute, async (c) => {
    const { id } = c.req.valid('param');
    const actor = actorOf(c, clock);
    const sent = await sendInvoice(db, actor, id);
    if (!sent.ok) {
      return sent.reason === 'conflict' ? conflict(c, sent.mistake) : refuse(c, 'invoice', sent);
    }
    const shown = await db.read((q) =>
      shownInvoice(q, sent.invoice, { ...actor, cardGateways, paymentRefusals }),
    );
    return c.json(shown, 303, { Location: `/invoice/${id}` });
  });
}
