import { TypedTextSchema } from '@hlid/protocol/card-number';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../http/input-fields.ts';
import { INTEGRATION_EVENT_TYPES } from './events/integration-event-table.ts';
import { WEBHOOK_STATUSES, type webhookDeliveryTable, type webhookTable } from './webhook-table.ts';

export type WebhookRow = typeof webhookTable.$inferSelect;
export type DeliveryRow = typeof webhookDeliveryTable.$inferSelect;

const TypesSchema = z.array(z.enum(INTEGRATION_EVENT_TYPES)).min(1).max(INTEGRATION_EVENT_TYPES.length);

const fields = {
  name: TypedTextSchema.min(1).max(200),
  url: z.string().min(1).max(2000).describe('Begins with https:// and leads to the internet.'),
  types: TypesSchema.nullable().describe(
    'Which it gets; null: all. `photo.stored` is sent for reads that are posted to the cloud, and of those that a ' +
      'site with an edge daemon sends once their picture has come.',
  ),
  siteId: IdSchema.nullable().describe('Of which site; null: all.'),
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
      .describe(
        'The event after which it begins, as far as events are kept; absent: with what happens from now on.',
      ),
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
    cursor: z.int().describe('The newest event that it has, or that does not concern it.'),
    failures: z.int().describe('Tries of the next event that failed, in a row.'),
    failingSince: UtcTimeSchema.nullable(),
    nextTryOn: UtcTimeSchema.nullable(),
    lastError: z.string().nullable(),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof WebhookSchema>;

export const MadeWebhookSchema = z
  .strictObject({ ...WebhookSchema.shape, secret: z.string().describe('Shown this once.') })
  .meta({ id: 'MadeWebhook' });

export const WebhookDeliverySchema = z
  .strictObject({
    id: z.string(),
    event: z.int(),
    type: z.enum(INTEGRATION_EVENT_TYPES),
    on: UtcTimeSchema,
    status: z.int().nullable().describe('Of HTTP; null: nobody answered.'),
    error: z.string().nullable(),
    tookMs: z.int(),
  })
  .meta({ id: 'WebhookDelivery' });

/** What is sent, and what `GET /webhooks/events` shows. */
export const IntegrationEventSchema = z
  .strictObject({
    n: z.int().describe('The cursor: counts up.'),
    type: z.enum(INTEGRATION_EVENT_TYPES),
    on: UtcTimeSchema,
    siteId: z.string().nullable(),
    subject: z.strictObject({
      id: z.string(),
      path: z.string().describe('Where it is.'),
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

export function webhookFrom({ secret: _, dueAt, createdAt, modifiedAt, ...same }: WebhookRow): Webhook {
  const nextTryOn = same.status === 'active' && same.failures > 0 ? dueAt : null;
  return { ...same, nextTryOn, createdOn: createdAt, modifiedOn: modifiedAt };
}

export function deliveryFrom({ n, at, webhookId: _, ...same }: DeliveryRow) {
  return { ...same, event: n, on: at };
}
