import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { createRoute, z } from '@hono/zod-openapi';
import type { PaymentRow } from '../../../money/payments/payment-store.ts';
import { CardPaymentSchema, shownPayment } from '../../../money/payments/waiting-payment.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { REFUSALS, refuse } from '../../../platform/http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import type { Refused } from '../../../platform/refused.ts';
import { OnlineJournal } from '../online-journal.ts';
import { refundsOfPayments } from '../show-refunds.ts';
import { recordFinding } from './person-finding.ts';

const FindingSchema = z
  .strictObject({
    finding: z
      .enum(['booked', 'not-booked', 'given-back'])
      .describe(
        '`booked`: the provider, or the terminal, has the money and keeps it; a reversal that was ordered did not come through. ' +
          '`not-booked`: it never charged. `given-back`: it charged, and gave the money back, for example in its own portal.',
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
  summary: 'Resolve a payment that needs a person, of whom the provider or the site cannot say more',
  description:
    'The finding of a person at the provider about a payment with the problem `provider`. Visit, ' +
    'invoice and books are updated, and no money is moved. If refunds of the payment are `unclear`, ' +
    'or have no answer after ten attempts, the finding is about them: `given-back` counts them as ' +
    'refunded, `booked` as not refunded. A payment at a terminal is resolved at its site, and here only if its site ' +
    'answers that it does not know it any more (`siteLostOn`), such as after a restore, or reports otherwise than was ' +
    'found before (`finding-contradicted`): `given-back` refunds the invoice, as by hand, and for a visit inside the ' +
    'amount is due again; `booked` lets the payment stand. If the site knows the payment again later and reports ' +
    'otherwise, the payment needs a person once more, and no money is counted twice.',
  request: { params: IdParamSchema, body: jsonBody(FindingSchema) },
  responses: {
    200: { description: 'The payment', content: json(CardPaymentSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

/** Records a finding about a payment at a terminal. */
export type RecordTerminalFinding = (
  actor: Actor,
  id: string,
  given: PersonFindingInput,
) => Promise<{ ok: true; payment: PaymentRow } | Refused>;
export type PersonFindingInput = z.infer<typeof FindingSchema>;

/** @param recordTerminalFinding what is above this folder knows how */
export function personFindingRoutes(
  context: Pick<CloudContext, 'db' | 'clock' | 'log'>,
  recordTerminalFinding: RecordTerminalFinding,
) {
  const { db, clock } = context;
  const journal = new OnlineJournal(context);
  return createRouter().openapi(findingRoute, async (c) => {
    const { id } = c.req.valid('param');
    const actor = actorOf(c, clock);
    const given = c.req.valid('json');
    const online = await recordFinding({ db, journal }, actor, id, given);
    const isOnline = online.ok || online.reason !== 'not-found';
    const found = isOnline ? online : await recordTerminalFinding(actor, id, given);
    if (!found.ok) return refuse(c, 'payment', found);
    return c.json(
      await db.read((q) => shownPayment(q, refundsOfPayments, found.payment, callerOf(c, 'account'))),
      200,
    );
  });
}
