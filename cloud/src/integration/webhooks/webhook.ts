import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { INTEGRATION_EVENT_TYPES } from '../../records/webhooks/integration-event-table.ts';
import {
  WEBHOOK_STATUSES,
  type webhookDeliveryTable,
  type webhookTable,
} from '../../records/webhooks/webhook-table.ts';

export type WebhookRow = typeof webhookTable.$inferSelect;
export type DeliveryRow = typeof webhookDeliveryTable.$inferSelect;

const TypesSchema = z.array(z.enum(INTEGRATION_EVENT_TYPES)).min(1).max(INTEGRATION_EVENT_TYPES.length);

const fields = {
  name: NameSchema,
  url: z.string().min(1).max(2000).describe('A public address with https.'),
  types: TypesSchema.nullable().describe(
    'The event types that it gets; null: all. `photo.stored` is sent for reads that are posted to ' +
      'the cloud, and for reads of a site with an edge daemon when their picture has arrived.',
  ),
  siteId: IdSchema.nullable().describe('The site whose events it gets; null: all.'),
  status: z.enum(WEBHOOK_STATUSES),
};

const example = {
  name: 'Accounting',
  url: 'https://books.example/hlid',
  types: ['invoice.issued' as const, 'invoice.refunded' as const],
  siteId: null,
};

export const NewWebhookSchema = z
  .strictObject({
    name: fields.name,
    url: fields.url,
    types: fields.types.optional(),
    siteId: fields.siteId.optional(),
    after: z
      .int()
      .min(0)
      .optional()
      .describe('The event after which it begins, if it is still stored; absent: with new events.'),
  })
  .meta({ id: 'NewWebhook', example });
export type NewWebhook = z.infer<typeof NewWebhookSchema>;

export const WebhookEditSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'WebhookEdit', example: { status: 'paused' } });
export type WebhookEdit = z.infer<typeof WebhookEditSchema>;

/** A webhook as the API shows it. */
export const WebhookSchema = z
  .strictObject({
    id: z.string(),
    ...fields,
    cursor: z.int().describe('The newest event that it has received, or that does not match it.'),
    failures: z.int().describe('Failed attempts in a row to send the next event.'),
    failingSince: UtcTimeSchema.nullable(),
    nextTryOn: UtcTimeSchema.nullable(),
    lastError: z.string().nullable(),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof WebhookSchema>;

export const MadeWebhookSchema = z
  .strictObject({ ...WebhookSchema.shape, secret: z.string().describe('Shown only now.') })
  .meta({ id: 'MadeWebhook' });

export const WebhookDeliverySchema = z
  .strictObject({
    id: z.string(),
    event: z.int(),
    type: z.enum(INTEGRATION_EVENT_TYPES),
    on: UtcTimeSchema,
    status: z.int().nullable().describe('The HTTP status; null: no answer.'),
    error: z.string().nullable(),
    tookMs: z.int(),
  })
  .meta({ id: 'WebhookDelivery' });

/**
 * The settings of a webhook by a person, which are its version: its deliveries change the rest all the time.
 */
export function chosenOf({ id, name, url, types, siteId, modifiedAt }: WebhookRow) {
  return { id, name, url, types, siteId, modifiedAt };
}

/** An event as it is sent, and as `GET /webhooks/events` shows it. */
export const IntegrationEventSchema = z
  .strictObject({
    n: z.int().describe('The cursor; it increases.'),
    type: z.enum(INTEGRATION_EVENT_TYPES),
    on: UtcTimeSchema,
    siteId: z.string().nullable(),
    subject: z.strictObject({
      id: z.string(),
      path: z.string().describe('Its path.'),
    }),
  })
  .meta({
    id: 'IntegrationEvent',
    example: {
      n: 1042,
      type: 'visit.ended',
      on: '2026-11-21T16:40:00.000Z',
      siteId: 'd2f8',
      subject: { id: '0b9f', path: '/visit/0b9f' },
    },
  });
export type IntegrationEvent = z.infer<typeof IntegrationEventSchema>;

export function webhookFrom(row: WebhookRow): Webhook {
  const { secret: _, attempts: failures, dueAt, heldBy: _holder, createdAt, modifiedAt, ...same } = row;
  const nextTryOn = failures > 0 ? dueAt : null;
  return { ...same, failures, nextTryOn, createdOn: createdAt, modifiedOn: modifiedAt };
}

export function deliveryFrom({ n, at, webhookId: _, ...same }: DeliveryRow) {
  return { ...same, event: n, on: at };
}
