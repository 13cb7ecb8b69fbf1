import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';
import type { IntegrationEventType } from './integration-event-table.ts';

export const WEBHOOK_STATUSES = ['active', 'paused'] as const;
type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** An address to which events are sent, and the last event that it has. */
export const webhookTable = sqliteTable(
  'webhook',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** Signs the requests; shown once, when the webhook is created. */
    secret: text('secret').notNull(),
    /** Null: all. */
    types: text('types', { mode: 'json' }).$type<IntegrationEventType[]>(),
    /** Null: of all sites. */
    siteId: compactSiteId('site_id'),
    status: text('status').$type<WebhookStatus>().notNull(),
    /** The newest event that it has, or that does not concern it. */
    cursor: integer('cursor').notNull(),
    // `attempts`: of the event after that, in a row, that failed. `dueAt` is null while it is paused.
    ...workColumns(),
    failingSince: text('failing_since'),
    lastError: text('last_error'),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [...workIndexes('webhook', table), index('webhook_by_creation').on(table.createdAt, table.id)],
);
export const webhookQueue = new WorkQueue('webhook');

/** Every attempt to send an event to a webhook. */
export const webhookDeliveryTable = sqliteTable(
  'webhook_delivery',
  {
    id: text('id').primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhookTable.id, { onDelete: 'cascade' }),
    /** The event's number. */
    n: integer('n').notNull(),
    type: text('type').$type<IntegrationEventType>().notNull(),
    at: text('at').notNull(),
    /** The HTTP status; null: there was no answer. */
    status: integer('status'),
    error: text('error'),
    tookMs: integer('took_ms').notNull(),
  },
  (table) => [
    index('webhook_delivery_by_webhook').on(table.webhookId, table.at, table.id),
    index('webhook_delivery_by_age').on(table.at),
  ],
);
