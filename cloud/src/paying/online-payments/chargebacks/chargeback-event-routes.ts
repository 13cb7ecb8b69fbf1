import { nowUtc } from '@hlid/node/clock';
import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { AmountMinorSchema, CurrencySchema } from '@hlid/protocol/base/money';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import { cloudActor } from '../../../people/audit/audit.ts';
import type { GatewayMessage, GatewayRefund } from '../../../platform/card-gateways/gateway.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { and, eq, lt } from '../../../platform/db/sql.ts';
import { EVENTS } from '../../../platform/events.ts';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { inputError, notFound, REFUSALS } from '../../../platform/http/errors.ts';
import { json, jsonBody } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { isGenuine } from '../../../platform/http/webhook-signature.ts';
import { englishLines } from '../../../platform/refused.ts';
import { providerEventTable as t } from '../../../records/online-payments/provider-event-table.ts';
import { OnlineJournal } from '../online-journal.ts';
import { type ProviderRefundOutcome, recordProviderRefund } from '../record-provider-refund.ts';
import {
  type ChargebackOutcome,
  NAMES_NO_PAYMENT,
  namesPayment,
  type ProviderChargeback,
  ProviderChargebackSchema,
  takeChargeback,
} from './provider-chargeback.ts';

/** The time is longer than any provider repeats a notification. */
const KEPT_MS = 30 * DAY_MS;
const EVENT_ID = /^[\x21-\x7e]{1,255}$/;

const RefundSchema = z.strictObject({
  transactionId: z.string().min(1).max(200).describe('The provider’s, of the payment.'),
  reference: TypedTextSchema.trim().min(1).max(100).describe('The provider’s, of the refund.'),
  refundId: z.uuid().nullable().default(null).describe('Ours; null: it was made elsewhere.'),
  amount: AmountMinorSchema.min(1).describe('The amount in the currency’s minor unit.'),
  currency: CurrencySchema,
  state: z.enum(['pending', 'refunded', 'failed']),
});
const EventSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('chargeback'), chargeback: ProviderChargebackSchema }),
    z.strictObject({ type: z.literal('refund'), refund: RefundSchema }),
  ])
  .meta({ id: 'ProviderEvent' });

const MAX_FIELDS = 50;
const ForeignEventSchema = z
  .looseObject({ object: z.literal('event') })
  .refine((event) => Object.keys(event).length <= MAX_FIELDS, wrong('too-many', { maximum: MAX_FIELDS }))
  .openapi({ maxProperties: MAX_FIELDS })
  .describe('An event of Stripe, in Stripe’s own form.');
const BodySchema = z.union([EventSchema, ForeignEventSchema]).openapi({
  example: {
    type: 'chargeback',
    chargeback: {
      transactionId: '4711',
      reference: 'CB-2026-11',
      amount: 1500,
      currency: 'ISK',
      reasonCode: '10.4',
      state: 'open',
      deadline: '2026-12-05',
    },
  },
});

const ResultSchema = z
  .strictObject({
    outcome: z
      .enum(['opened', 'changed', 'unchanged'])
      .describe('`unchanged`: it was known, or is about something else.'),
  })
  .meta({ id: 'ProviderEventResult' });

const eventRoute = createRoute({
  method: 'post',
  path: '/payments/events/{gateway}',
  tags: ['Payments'],
  summary:
    'Receive a signed notification of a chargeback or a refund from a provider, or from a program that reads its reports',
  description:
    'Signed by the rules of Standard Webhooks with the gateway’s `eventSecret`: `webhook-id`, `webhook-timestamp` (at most ' +
    'five minutes off) and `webhook-signature` (`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`); Stripe signs ' +
    'in its own way. A refund that was made in the provider’s own pages is recorded, and so is one that fails. It may come several times, and in any order: an event counts once by its id, and an older report ' +
    'changes nothing of a newer one. Repeat what is not answered with 200: nothing of it is stored.',
  request: {
    params: z.object({
      gateway: z
        .string()
        .max(40)
        .openapi({ param: { name: 'gateway', in: 'path' }, example: 'valitor-pay' }),
    }),
    body: jsonBody(BodySchema),
  },
  responses: {
    200: { description: 'It is stored', content: json(ResultSchema) },
    ...REFUSALS.input,
    ...REFUSALS.notFound,
  },
});

type EventContext = Pick<CloudContext, 'db' | 'clock' | 'log' | 'cardGateways'>;

/** Notifications of providers, at least once and in any order. */
export function chargebackEventRoutes(context: EventContext) {
  const { db, clock, log } = context;
  const journal = new OnlineJournal(context);
  return createRouter().openapi(eventRoute, async (c) => {
    const { gateway: gatewayId } = c.req.valid('param');
    const header = (name: string) => c.req.header(name) ?? null;
    const read = readEvent(context, gatewayId, { body: await c.req.text(), header });
    if (read === null) {
      log.warn({ event: EVENTS.providerEventRefused, gatewayId });
      return inputError(c, mistake('wrong-signature', 'signature'));
    }
    const { id, chargeback, refund } = read;
    if (chargeback === null && refund === null) return c.json({ outcome: 'unchanged' as const }, 200);
    if (chargeback !== null && !namesPayment(chargeback)) return inputError(c, ...NAMES_NO_PAYMENT.mistakes);
    const at = nowUtc(clock);
    const done = await db.write(async (tx): Promise<ChargebackOutcome | ProviderRefundOutcome | null> => {
      const event = { gatewayId, id, at };
      if (await isStored(tx, event)) return null;
      const outcome =
        chargeback !== null
          ? await takeChargeback(tx, cloudActor(`gateway:${gatewayId}`, at), gatewayId, chargeback)
          : refund !== null
            ? await recordProviderRefund(tx, journal, gatewayId, refund, at)
            : null;
      if (outcome?.outcome !== 'refused') await store(tx, event);
      return outcome;
    });
    if (done === null) return c.json({ outcome: 'unchanged' as const }, 200);
    if (done.outcome !== 'refused') return c.json({ outcome: done.outcome }, 200);
    log.error({
      event: EVENTS.chargebackRefused,
      gatewayId,
      id: done.paymentId,
      problem: englishLines(done.mistakes).join('; '),
    });
    return done.paymentId === null ? notFound(c, 'payment') : inputError(c, ...done.mistakes);
  });
}

/** A notification that certainly comes from the provider; null: it does not, or is too old. */
function readEvent(
  { cardGateways, clock }: EventContext,
  gatewayId: string,
  message: GatewayMessage,
): { id: string; chargeback: ProviderChargeback | null; refund: GatewayRefund | null } | null {
  const gateway = cardGateways.get(gatewayId);
  if (gateway?.readEvent !== undefined) {
    const event = gateway.readEvent(message);
    if (event?.chargeback == null) return event && { id: event.id, chargeback: null, refund: event.refund };
    const { amountMinor: amount, ...rest } = event.chargeback;
    const chargeback = ProviderChargebackSchema.safeParse({ ...rest, amount });
    return chargeback.success ? { id: event.id, chargeback: chargeback.data, refund: null } : null;
  }
  const secret = cardGateways.eventSecret(gatewayId);
  const header = (name: string) => message.header(`webhook-${name}`) ?? '';
  const signed = { id: header('id'), timestamp: header('timestamp'), signatures: header('signature') };
  const isShaped = secret !== null && EVENT_ID.test(signed.id);
  if (!isShaped || !isGenuine(secret, { ...signed, body: message.body }, clock.now())) return null;
  const event = EventSchema.safeParse(JSON.parse(message.body)).data;
  if (event === undefined) return null;
  const { id } = signed;
  if (event.type === 'chargeback') return { id, chargeback: event.chargeback, refund: null };
  const { amount: amountMinor, ...rest } = event.refund;
  return { id, chargeback: null, refund: { kind: 'one', ...rest, amountMinor } };
}

interface ProviderEvent {
  gatewayId: string;
  id: string;
  at: UtcTime;
}

async function isStored({ q }: Tx, { gatewayId, id }: ProviderEvent): Promise<boolean> {
  const isSame = and(eq(t.gatewayId, gatewayId), eq(t.id, id));
  return (await q.select({ id: t.id }).from(t).where(isSame).get()) !== undefined;
}

async function store({ q }: Tx, event: ProviderEvent): Promise<void> {
  await q.insert(t).values(event);
  await q.delete(t).where(lt(t.at, utcTime(millis(event.at) - KEPT_MS)));
}
