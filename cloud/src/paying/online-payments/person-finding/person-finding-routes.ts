import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { createRoute, z } from '@hono/zod-openapi';
import { shownPayment, WaitingPaymentSchema } from '../../../money/payments/waiting-payment.ts';
import { actorOf, type CloudContext } from '../../../platform/http/cloud-env.ts';
import { REFUSALS, refuse } from '../../../platform/http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { OnlineJournal } from '../online-journal.ts';
import { refundsOfPayments } from '../show-refunds.ts';
import { recordFinding } from './person-finding.ts';

const FindingSchema = z
  .strictObject({
    finding: z
      .enum(['booked', 'not-booked', 'given-back'])
      .describe(
        '`booked`: the provider has the money and keeps it. `not-booked`: it never charged. ' +
          '`given-back`: it charged and refunded, for example in its own portal.',
      ),
    reason: ReasonSchema.describe('The source of the finding, for the audit log.'),
  })
  .meta({
    id: 'PaymentFinding',
    example: { finding: 'booked', reason: 'In the portal of the provider, transaction 4711' },
  });

const findingRoute = createRoute({
  method: 'post',
  path: '/payments/{id}/finding',
  tags: ['Payments'],
  summary: 'Resolve an online payment that needs a person',
  description:
    'The finding of a person at the provider about a payment with the problem `provider`. Visit, ' +
    'invoice and books are updated, and no money is moved. If refunds of the payment are `unclear`, ' +
    'or have no answer after ten attempts, the finding is about them: `given-back` counts them as ' +
    'refunded, `booked` as not refunded. A payment at a terminal is resolved at its site.',
  request: { params: IdParamSchema, body: jsonBody(FindingSchema) },
  responses: {
    200: { description: 'The payment', content: json(WaitingPaymentSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

export function personFindingRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'log'>) {
  const { db, clock } = context;
  const journal = new OnlineJournal(context);
  return createRouter().openapi(findingRoute, async (c) => {
    const { id } = c.req.valid('param');
    const found = await recordFinding({ db, journal }, actorOf(c, clock), id, c.req.valid('json'));
    if (!found.ok) return refuse(c, 'online-payment', found);
    return c.json(await db.read((q) => shownPayment(q, refundsOfPayments, found.payment)), 200);
  });
}
