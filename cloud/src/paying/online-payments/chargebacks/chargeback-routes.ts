import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { AmountMinorSchema } from '@hlid/protocol/base/money';
import { createRoute, z } from '@hono/zod-openapi';
import { CardPaymentSchema, shownPayment } from '../../../money/payments/waiting-payment.ts';
import { actorOf, type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { REFUSALS, refuse } from '../../../platform/http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { CHARGEBACK_STATES } from '../../../records/payments/chargeback-table.ts';
import { refundsOfPayments } from '../show-refunds.ts';
import { recordChargeback } from './record-chargeback.ts';

const ReportSchema = z
  .strictObject({
    reference: TypedTextSchema.trim().min(1).max(100).describe('The provider’s reference of the chargeback.'),
    amount: AmountMinorSchema.min(1).describe('The amount in the currency’s minor unit.'),
    reasonCode: TypedTextSchema.trim().min(1).max(40).describe('The reason code of the card scheme.'),
    deadline: z.iso.date().nullable().default(null).describe('The last day to send evidence.'),
    evidence: TypedTextSchema.trim()
      .max(4000)
      .nullable()
      .default(null)
      .describe('The evidence that was or will be sent.'),
    state: z
      .enum(CHARGEBACK_STATES)
      .default('open')
      .describe('`won`: the money is here again. `prevented`: it never left.'),
  })
  .meta({
    id: 'ChargebackReport',
    example: {
      reference: 'CB-2026-11',
      amount: 500,
      reasonCode: '10.4',
      deadline: '2026-12-05',
      evidence: 'Pictures of the entrance and of the exit',
      state: 'open',
    },
  });

const chargebackRoute = createRoute({
  method: 'post',
  path: '/payments/{id}/chargeback',
  tags: ['Payments'],
  summary: 'Record a chargeback of a card payment, of the whole or of a part, its evidence, or how it ended',
  description:
    'The payment stays `settled`, and cannot be refunded meanwhile. A credit note takes the amount ' +
    'out of the income when the chargeback opens, and is withdrawn if it is won. `GET /payments` ' +
    'lists open chargebacks. The same call with the same `reference` and `amount` updates the other ' +
    'fields. Another `reference` is another chargeback: a payment may have several. What was lost may ' +
    'still be won, by an appeal; `won` is final.',
  request: { params: IdParamSchema, body: jsonBody(ReportSchema) },
  responses: {
    200: { description: 'The payment with its chargeback', content: json(CardPaymentSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

export function chargebackRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  return createRouter().openapi(chargebackRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { amount: amountMinor, ...rest } = c.req.valid('json');
    const done = await recordChargeback(db, actorOf(c, clock), id, { ...rest, amountMinor });
    if (!done.ok) return refuse(c, 'payment', done);
    return c.json(
      await db.read((q) => shownPayment(q, refundsOfPayments, done.payment, callerOf(c, 'account'))),
      200,
    );
  });
}
