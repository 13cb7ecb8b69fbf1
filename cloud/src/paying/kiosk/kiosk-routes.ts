import { nowUtc } from '@hlid/node/clock';
import type { Language } from '@hlid/protocol/base/language';
import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { PAYMENT_REASON_WORDS } from '@hlid/protocol/base/mistakes/payment-reasons/payment-reason-words';
import { isPaymentReason, paymentReasonText } from '@hlid/protocol/base/mistakes/payment-words';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import {
  errorBody,
  inputError,
  notFound,
  REFUSALS,
  refusal,
  refuse,
  tooManyRequests,
} from '../../platform/http/errors.ts';
import { PlateSchema } from '../../platform/http/input-fields.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { disownCar } from '../../sites/lanes/disown-car.ts';
import { type BegunPayment, beginPayment } from './begin-payment.ts';
import {
  FoundVisitSchema,
  KioskPaymentSchema,
  PoiStatusSchema,
  PosInvoiceSchema,
  PosOrderSchema,
  PosStatusSchema,
} from './kiosk.ts';
import { poiStatus } from './poi-status.ts';
import { INVOICE_OF_STATE, posStatus } from './pos-status.ts';
import { registerPayment } from './register-payment.ts';
import { countSearch, searchVisits } from './search-visits.ts';

const tags = ['Kiosk'];

/** Fewer characters match most of the cars. */
const MIN_TYPED = 3;

const registerRoute = createRoute({
  method: 'post',
  path: '/kiosk/register-payment',
  tags,
  summary: 'Record a payment made at the kiosk',
  description:
    'For a car that is inside. Refused if it is less than the amount due now, or for a product of ' +
    'other vehicles. Send an `Idempotency-Key`: the same payment twice counts as two payments.',
  request: { body: jsonBody(KioskPaymentSchema) },
  responses: {
    200: {
      description: 'Recorded; the visit is paid',
      content: json(z.strictObject({ invoiceId: z.string() }).meta({ id: 'KioskPaymentBooked' })),
    },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

const searchRoute = createRoute({
  method: 'get',
  path: '/kiosk/search-visits',
  tags,
  summary: 'Search visits inside by the beginning of the plate',
  description:
    'Characters that cameras confuse count as the same. At most ten results, and 600 searches in 15 ' +
    'minutes.',
  request: {
    query: z.object({
      plate: z
        .string()
        .max(20)
        .transform(normalisePlate)
        .refine((plate) => plate.length >= MIN_TYPED, wrong('too-short', { minimum: MIN_TYPED }))
        .openapi({ type: 'string', example: 'ABX' }),
    }),
  },
  responses: {
    200: {
      description: 'Visits',
      content: json(z.strictObject({ visits: z.array(FoundVisitSchema) }).meta({ id: 'KioskVisitsFound' })),
    },
    ...LIST_REFUSALS,
    ...REFUSALS.tooMany,
  },
});

const notMineRoute = createRoute({
  method: 'post',
  path: '/kiosk/visits/{id}/not-mine',
  tags,
  summary: 'Report that the visit an exit asks payment for is another car’s',
  description:
    'For a visit that a search marked `doubtful`. The exit opens, once for each car, and the visit ' +
    'is flagged for a person. If the site has no edge daemon, the answer to the next read of the car ' +
    'opens the gate.',
  request: {
    params: IdParamSchema,
    body: jsonBody(
      z
        .strictObject({ plate: PlateSchema.describe('The plate that the driver types as his own.') })
        .meta({ id: 'KioskNotMine', example: { plate: 'BTE97' } }),
    ),
  },
  responses: {
    200: { description: 'The exit opens', content: json(z.strictObject({})) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.tooMany,
    409: refusal('No car waits at an exit for this visit of which there is a doubt'),
    503: refusal('Its site cannot be reached'),
  },
});

const initRoute = createRoute({
  method: 'post',
  path: '/kiosk/pos/init',
  tags,
  summary: 'Start a card payment at a site’s terminal',
  description:
    'For a visit: the amount due now, computed by its site. For a plate: a number of units in ' +
    'advance. Get the outcome at `/kiosk/pos/status/{id}` with the id of the invoice.',
  request: { body: jsonBody(PosOrderSchema) },
  responses: {
    200: {
      description: 'Created',
      content: json(z.strictObject({ invoice: PosInvoiceSchema }).meta({ id: 'PosBegun' })),
    },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
    409: refusal('Not begun: the terminal is busy, or a payment of that visit is under way'),
    503: refusal('Not started: the site or its terminal cannot be reached'),
    504: refusal('The site did not answer and may have begun: get the status before you try again'),
  },
});

const statusRoute = createRoute({
  method: 'get',
  path: '/kiosk/pos/status/{id}',
  tags,
  summary: 'Get the outcome of a card payment',
  request: { params: IdParamSchema },
  responses: responses.read(PosStatusSchema, 'Its status'),
});

const poiRoute = createRoute({
  method: 'get',
  path: '/kiosk/pos/poi-status/{terminalId}',
  tags,
  summary: 'Get the status of a card terminal',
  request: {
    params: z.object({
      terminalId: z
        .string()
        .min(1)
        .max(128)
        .openapi({ param: { name: 'terminalId', in: 'path' }, example: 'kiosk-1' }),
    }),
  },
  responses: {
    200: { description: 'Its status', content: json(PoiStatusSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
    ...REFUSALS.alreadyThere,
  },
});

/** The routes for kiosks. A kiosk on the site's own network uses its site instead, and needs no cloud. */
export function kioskRoutes(context: CloudContext) {
  const { db, clock, publicUrl } = context;
  return createRouter()
    .openapi(registerRoute, async (c) => {
      const booked = await registerPayment(db, actorOf(c, clock), c.req.valid('json'));
      return booked.ok ? c.json({ invoiceId: booked.invoiceId }, 200) : refuse(c, 'visit', booked);
    })
    .openapi(searchRoute, async (c) => {
      const { tokenId } = callerOf(c, 'role');
      const found = await searchVisits(db, tokenId, c.req.valid('query').plate, nowUtc(clock));
      return found.ok ? c.json({ visits: found.visits }, 200) : tooManyRequests(c, found.retryAfterSeconds);
    })
    .openapi(notMineRoute, async (c) => {
      const actor = actorOf(c, clock);
      const wait = await countSearch(db, callerOf(c, 'role').tokenId, actor.at);
      if (wait !== null) return tooManyRequests(c, wait);
      const { plate: typed } = c.req.valid('json');
      const statement = { visitId: c.req.valid('param').id, typed, page: 'kiosk' } as const;
      const result = await disownCar(context, actor, statement);
      if (result.ok) return c.json({}, 200);
      switch (result.reason) {
        case 'not-in-doubt':
          return c.json(errorBody(result.reason, mistake('not-in-doubt')), 409);
        case 'site-away':
          return c.json(errorBody(result.reason, mistake('site-away')), 503);
        case 'input':
          return inputError(c, ...result.mistakes);
        default:
          return result satisfies never;
      }
    })
    .openapi(initRoute, async (c) => {
      const order = c.req.valid('json');
      return answer(c, await beginPayment(context, actorOf(c, clock), order), order.language);
    })
    .openapi(statusRoute, async (c) => {
      const at = { now: nowUtc(clock), publicUrl: publicUrl() };
      const status = await db.read((q) => posStatus(q, c.req.valid('param').id, at));
      return status === null ? notFound(c, 'payment') : c.json(status, 200);
    })
    .openapi(poiRoute, async (c) => {
      const status = await poiStatus(context, callerOf(c, 'role'), c.req.valid('param').terminalId);
      return status.ok ? c.json(status.status, 200) : refuse(c, 'terminal', status);
    });
}

function answer(c: Context<CloudEnv>, begun: BegunPayment, language: Language) {
  if (begun.ok) {
    const { id, state, amountMinor: amount, currency } = begun.payment;
    const invoice = { id, status: INVOICE_OF_STATE[state], price: { amount, currency } };
    return c.json({ invoice }, 200);
  }
  switch (begun.reason) {
    case 'not-begun':
      return notBegun(c, begun.fault, language);
    case 'unknown': {
      const path = `/kiosk/pos/status/${begun.id}`;
      const body = errorBody('No answer', mistake('unknown'), mistake('ask-status', [], { path }));
      return c.json({ ...body, messages: [PAYMENT_REASON_WORDS[language].unknown, `Ask ${path}`] }, 504);
    }
    case 'input':
    case 'not-found':
    case 'already-there':
      return refuse(c, 'visit-at-terminal', begun);
    default:
      return begun satisfies never;
  }
}

/** The messages are for the driver, in his language. */
function notBegun(c: Context<CloudEnv>, fault: string, language: Language) {
  const message = paymentReasonText(fault, PAYMENT_REASON_WORDS[language]);
  const why = mistake(isPaymentReason(fault) && fault !== 'not-found' ? fault : 'other');
  switch (fault) {
    case 'not-found':
    case 'no-terminal':
      return notFound(c, fault === 'not-found' ? 'visit-at-site' : 'terminal-at-site');
    case 'nothing-due':
    case 'visit-ended':
    case 'bad-input':
    case 'too-little':
    case 'not-for-sale':
      return c.json({ ...errorBody('Input error', why), messages: [`${fault}: ${message}`] }, 400);
    case 'terminal-away':
      return c.json({ ...errorBody(fault, why), messages: [message] }, 503);
    default:
      return c.json({ ...errorBody(fault, why), messages: [message] }, 409);
  }
}
