import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute } from '@hono/zod-openapi';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import {
  InvoiceWithLinesSchema,
  LineCreditSchema,
  RefundSchema,
  shownInvoice,
} from '../../money/invoices/invoice.ts';
import { paymentRefusals } from '../../money/payments/payment-of-invoice.ts';
import { APPROVAL_RESPONSE, approvalRequested } from '../../people/approvals/approval-requested.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { conflict, inputError, notFound, refusal, refuse } from '../../platform/http/errors.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { OnlineRefunds } from '../online-payments/refund-online.ts';
import { creditLines } from './credit-lines.ts';
import { refundInvoice } from './refund-invoice.ts';

const refundRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/refund',
  tags: ['Invoices'],
  summary: 'Refund a paid invoice',
  description:
    'Once. A credit note takes back what is left of it, and names it; the amount leaves the income on that day. For a visit inside it is due ' +
    'again. An online payment, also one of an invoice that was issued before, is refunded to the card, the whole or ' +
    'an `amount` of it; a part does not change the visit. No other money is moved.',
  request: { params: IdParamSchema, body: jsonBody(RefundSchema) },
  responses: {
    ...responses.write(InvoiceWithLinesSchema, 'Refunded, or ordered if the provider has not answered yet'),
    ...APPROVAL_RESPONSE,
    409: refusal('The provider cannot refund it'),
  },
});

const creditRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/credit',
  tags: ['Invoices'],
  summary: 'Correct an issued invoice by its visits',
  description:
    'For invoices to companies and owners. A credit note of its own, with a number of the same seller, takes the lines ' +
    'back and names the invoice, which stays as it is.',
  request: { params: IdParamSchema, body: jsonBody(LineCreditSchema) },
  responses: {
    ...responses.write(InvoiceWithLinesSchema, 'The invoice, with its credit notes'),
    ...APPROVAL_RESPONSE,
  },
});

export function refundRoutes({ db, clock, cardGateways }: CloudContext, online: OnlineRefunds) {
  const router = createRouter().openapi(creditRoute, async (c) => {
    const { id } = c.req.valid('param');
    const actor = actorOf(c, clock);
    const corrected = await creditLines(db, actor, id, c.req.valid('json'));
    if (!corrected.ok) {
      return corrected.reason === 'approval'
        ? approvalRequested(c, corrected)
        : refuse(c, 'invoice', corrected);
    }
    return c.json(
      await db.read((q) => shownInvoice(q, corrected.invoice, { ...actor, cardGateways, paymentRefusals })),
      303,
      {
        Location: `/invoice/${id}`,
      },
    );
  });
  return router.openapi(refundRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { reason, amount = null } = c.req.valid('json');
    const actor = actorOf(c, clock);
    const paymentId = await db.read((q) => online.paymentOf(q, id));
    if (paymentId !== null) {
      const given = await online.refund(actor, paymentId, { amountMinor: amount, reason, by: 'refund' });
      if (!given.ok && given.reason === 'approval') return approvalRequested(c, given);
      if (!given.ok)
        return given.reason === 'not-possible'
          ? conflict(c, mistake('refund-not-possible'))
          : refuse(c, 'invoice', given);
      const invoice = await db.read((q) => findInvoice(q, id, ALL_ROWS));
      if (invoice === null) return notFound(c, 'invoice');
      return c.json(
        await db.read((q) => shownInvoice(q, invoice, { ...actor, cardGateways, paymentRefusals })),
        303,
        {
          Location: `/invoice/${id}`,
        },
      );
    }
    if (amount !== null) return inputError(c, mistake('refund-whole-only', 'amount'));
    const refunded = await refundInvoice(db, actor, id, reason);
    if (!refunded.ok) {
      return refunded.reason === 'approval' ? approvalRequested(c, refunded) : refuse(c, 'invoice', refunded);
    }
    return c.json(
      await db.read((q) => shownInvoice(q, refunded.invoice, { ...actor, cardGateways, paymentRefusals })),
      303,
      {
        Location: `/invoice/${id}`,
      },
    );
  });
}
