import { TypedTextSchema } from '@hlid/protocol/card-number';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext, type CloudEnv } from '../../http/cloud-env.ts';
import { REFUSALS, refuse } from '../../http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../http/route-schemas.ts';
import { createRouter } from '../../http/router.ts';
import { shownPayment, WaitingPaymentSchema } from '../../payments/waiting-payment.ts';
import { OnlineJournal } from '../online-journal.ts';
import { recordFinding } from './person-finding.ts';

const FindingSchema = z
  .strictObject({
    finding: z
      .enum(['booked', 'not-booked', 'given-back'])
      .describe(
        '`booked`: the provider has the money, and it stays. `not-booked`: it never took any. `given-back`: it took the ' +
          'money and has given it back, such as in its own portal.',
      ),
    reason: TypedTextSchema.trim().min(1).max(500).describe('Where it was found, for the audit log.'),
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
    'What a person found at the provider about a payment with the problem `provider`. Its visit, its invoice and the books ' +
    'follow, and no money is moved. A refund that has no answer after ten tries is withdrawn. A payment at a terminal is ' +
    'concluded at its site.',
  request: { params: IdParamSchema, body: jsonBody(FindingSchema) },
  responses: {
    200: { description: 'The payment after it', content: json(WaitingPaymentSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

export function personFindingRoutes(
  context: Pick<CloudContext, 'db' | 'clock' | 'log'>,
): OpenAPIHono<CloudEnv> {
  const { db, clock } = context;
  const journal = new OnlineJournal(context);
  return createRouter().openapi(findingRoute, async (c) => {
    const { id } = c.req.valid('param');
    const found = await recordFinding({ db, journal }, actorOf(c, clock), id, c.req.valid('json'));
    return found.ok ? c.json(shownPayment(found.payment), 200) : refuse(c, 'online payment', found);
  });
}
