import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { createRoute, z } from '@hono/zod-openapi';
import { ApprovalRequestedSchema, approvalRequested } from '../../people/approvals/approval-requested.ts';
import { type Actor, ownRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, errorBody, notFound, REFUSALS, refusal, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { readPage, TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findPayment } from './find-payment.ts';
import { countForPerson, listForPerson, PAYMENT_ORDERS, placeOfPayment } from './payment-store.ts';
import { type BegunReversal, reversePayment } from './reverse-payment.ts';
import {
  CardPaymentSchema,
  type RefundsOf,
  shownPayment,
  shownPayments,
  WaitingPaymentSchema,
} from './waiting-payment.ts';

const ReversalSchema = z
  .strictObject({ reason: ReasonSchema })
  .meta({ id: 'Reversal', example: { reason: 'Paid twice: in the office and at the kiosk' } });

const listRoute = createRoute({
  method: 'get',
  path: '/payments',
  tags: ['Payments'],
  summary: 'List card payments that need review, newest first unless `order` says otherwise',
  description:
    'A payment that was settled twice leaves the list with a refund of its visit, or when the ' +
    "visit's flag `settled-twice` is resolved.",
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      order: z.enum(PAYMENT_ORDERS).optional().describe('The order of the list. Default: `newest`.'),
      next: TextCursorParamSchema.optional(),
    }),
  },
  responses: responses.list(WaitingPaymentSchema, 'Payments'),
});

const oneRoute = createRoute({
  method: 'get',
  path: '/payments/{id}',
  tags: ['Payments'],
  summary: 'Read a card payment, with its refunds and chargebacks',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'The payment', content: json(CardPaymentSchema) },
    ...READ_REFUSALS,
  },
});

const reverseRoute = createRoute({
  method: 'post',
  path: '/payments/{id}/reverse',
  tags: ['Payments'],
  summary: 'Give the money of a settled card payment back to the card',
  description:
    'An online payment is refunded at its provider. A payment at a terminal is reversed by the ' +
    'terminal, which most can do until the end of their day. The answer confirms the start. The site ' +
    'reports the result: the payment is `reversed`, its invoice refunded and its visit owes again; ' +
    'or the payment is still `settled` and in the list of payments that need a person, where you can ' +
    'try again. Until then its reason is `reversal-ordered`: the money may have gone back, and no second order leaves.',
  request: { params: IdParamSchema, body: jsonBody(ReversalSchema) },
  responses: {
    202: {
      description:
        'Started at the terminal or the provider; or, with `approvalId`, it is above a limit of the site, nothing is ' +
        'done yet, and it waits for a second person at `Location`',
      content: json(z.union([CardPaymentSchema, ApprovalRequestedSchema])),
    },
    ...REFUSALS.alreadyThere,
    ...REFUSALS.input,
    ...READ_REFUSALS,
    409: refusal('The terminal did not begin: it is busy or away, or cannot reverse this payment'),
    503: refusal('Not started: the site is not connected'),
    504: refusal(
      'The site did not answer within a second and may have started. The payment is `reversal-ordered` until the site ' +
        'answers or reports',
    ),
  },
});

/** Gives an online payment back at its provider; null: it was not paid online. */
export type ReverseOnline = (actor: Actor, id: string, reason: string) => Promise<OnlineReversal | null>;
type OnlineReversal = Exclude<BegunReversal, { reason: 'not-connected' | 'no-answer' | 'not-found' }>;

/** @param reverseOnline what is above this folder knows how, and knows `refundsOf` */
export function paymentRoutes(
  { db, commands, clock }: Pick<CloudContext, 'db' | 'commands' | 'clock'>,
  reverseOnline: ReverseOnline,
  refundsOf: RefundsOf,
) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { siteId, order = 'newest', next: cursor } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const siteIds = siteId === undefined ? sitesOf(own) : seesSite(own, siteId) ? [siteId] : [];
      const page = await db.read((q) =>
        readPage(
          { cursor },
          placeOfPayment(order),
          (limit) => listForPerson(q, siteIds, { order, cursor, limit }),
          () => countForPerson(q, siteIds),
        ),
      );
      const data = await db.read((q) => shownPayments(q, refundsOf, page.data));
      return c.json({ ...page, data }, 200);
    })
    .openapi(oneRoute, async (c) => {
      const { id } = c.req.valid('param');
      const payment = await db.read((q) => findPayment(q, id));
      if (payment === null) return notFound(c, 'payment');
      return c.json(await db.read((q) => shownPayment(q, refundsOf, payment, callerOf(c, 'account'))), 200);
    })
    .openapi(reverseRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { reason } = c.req.valid('json');
      const actor = actorOf(c, clock);
      const begun =
        (await reverseOnline(actor, id, reason)) ??
        (await reversePayment({ db, commands }, actor, id, reason));
      if (begun.ok) {
        return c.json(await db.read((q) => shownPayment(q, refundsOf, begun.payment, actor.caller)), 202);
      }
      switch (begun.reason) {
        case 'not-connected':
          return c.json(errorBody('Site not connected', mistake('reversal-not-connected')), 503);
        case 'no-answer':
          return c.json(errorBody('No answer', mistake('reversal-unknown')), 504);
        case 'not-begun':
          return conflict(c, mistake('reversal-not-begun', [], { reason: begun.fault }));
        case 'approval':
          return approvalRequested(c, begun);
        case 'input':
        case 'not-found':
        case 'already-there':
          return refuse(c, 'payment', begun);
        default:
          return begun satisfies never;
      }
    });
}
