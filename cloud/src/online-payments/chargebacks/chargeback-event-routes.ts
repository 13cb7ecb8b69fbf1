import { nowUtc } from '@hlid/node/clock';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { and, eq, lt } from 'drizzle-orm';
import { createMiddleware } from 'hono/factory';
import { cloudActor } from '../../audit/audit.ts';
import type { Tx } from '../../db/db.ts';
import { EVENTS } from '../../events.ts';
import type { CloudContext, CloudEnv } from '../../http/cloud-env.ts';
import { inputError, notFound, REFUSALS } from '../../http/errors.ts';
import { json, jsonBody } from '../../http/route-schemas.ts';
import { createRouter } from '../../http/router.ts';
import { isGenuine } from '../../http/webhook-signature.ts';
import {
  type ChargebackOutcome,
  NAMES_NO_PAYMENT,
  namesPayment,
  ProviderChargebackSchema,
  takeChargeback,
} from './provider-chargeback.ts';
import { providerEventTable as t } from './provider-event-table.ts';

/** Longer than any provider repeats a notification. */
const KEPT_MS = 30 * DAY_MS;
const EVENT_ID = /^[\x21-\x7e]{1,200}$/;

const EventSchema = z
  .strictObject({ type: z.literal('chargeback'), chargeback: ProviderChargebackSchema })
  .meta({
    id: 'ProviderEvent',
    example: {
      type: 'chargeback',
      chargeback: {
        ...{ transactionId: '4711', reference: 'CB-2026-11', amount: 1500, currency: 'ISK' },
        ...{ reasonCode: '10.4', state: 'open', deadline: '2026-12-05' },
      },
    },
  });

const ResultSchema = z
  .strictObject({
    outcome: z
      .enum(['opened', 'changed', 'unchanged'])
      .describe('`unchanged`: it was known, or came before.'),
  })
  .meta({ id: 'ProviderEventResult' });

const eventRoute = {
  method: 'post' as const,
  path: '/payments/events/{gateway}' as const,
  tags: ['Payments'],
  summary:
    'Receive a signed notification of a chargeback from a provider, or from a program that reads its reports',
  description:
    'Signed by the rules of Standard Webhooks with the gateway’s `webhookSecret`: `webhook-id`, `webhook-timestamp` (at most ' +
    'five minutes off) and `webhook-signature` (`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`). It may come ' +
    'several times, and in any order: an event counts once by its id, and an older report changes nothing of a newer one. ' +
    'Repeat what is not answered with 200: nothing of it is stored.',
  request: {
    params: z.object({
      gateway: z
        .string()
        .max(40)
        .openapi({ param: { name: 'gateway', in: 'path' }, example: 'valitor-pay' }),
    }),
    body: jsonBody(EventSchema),
  },
  responses: {
    200: { description: 'It is stored', content: json(ResultSchema) },
    ...REFUSALS.input,
    ...REFUSALS.notFound,
  },
};

/** Notifications of providers, at least once and in any order. */
export function chargebackEventRoutes({
  db,
  clock,
  log,
  cardGateways,
}: Pick<CloudContext, 'db' | 'clock' | 'log' | 'cardGateways'>): OpenAPIHono<CloudEnv> {
  // Before the body is parsed: a stranger learns nothing by what is wrong with it.
  const requireSignature = createMiddleware<CloudEnv>(async (c, next) => {
    const gateway = c.req.param('gateway') ?? '';
    const secret = cardGateways.webhookSecret(gateway);
    const header = (name: string) => c.req.header(`webhook-${name}`) ?? '';
    const message = {
      ...{ id: header('id'), timestamp: header('timestamp'), signatures: header('signature') },
      body: await c.req.text(),
    };
    const isShaped = EVENT_ID.test(message.id);
    if (secret !== null && isShaped && isGenuine(secret, message, clock.now())) return await next();
    log.warn({ event: EVENTS.providerEventRefused, gateway });
    return inputError(c, 'webhook-signature: is missing, wrong, or more than five minutes old');
  });
  const signedRoute = createRoute({ ...eventRoute, middleware: requireSignature });
  return createRouter().openapi(signedRoute, async (c) => {
    const { chargeback } = c.req.valid('json');
    if (!namesPayment(chargeback)) return inputError(c, ...NAMES_NO_PAYMENT.messages);
    const { gateway: gatewayId } = c.req.valid('param');
    const at = nowUtc(clock);
    const event = { gatewayId, id: c.req.header('webhook-id') ?? '', at };
    const done = await db.write(async (tx): Promise<ChargebackOutcome | null> => {
      if (await isStored(tx, event)) return null;
      const outcome = await takeChargeback(tx, cloudActor(`gateway:${gatewayId}`, at), gatewayId, chargeback);
      if (outcome.outcome !== 'refused') await store(tx, event);
      return outcome;
    });
    if (done === null) return c.json({ outcome: 'unchanged' as const }, 200);
    if (done.outcome !== 'refused') return c.json({ outcome: done.outcome }, 200);
    log.error({ event: EVENTS.chargebackRefused, gatewayId, id: done.paymentId, problem: done.message });
    return done.paymentId === null ? notFound(c, 'payment') : inputError(c, done.message);
  });
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
