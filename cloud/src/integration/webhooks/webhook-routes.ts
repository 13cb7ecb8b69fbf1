import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { CursorParamSchema, listOf, readPage, wholeList } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
  WRITE_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { eventsAfter, newestEvent } from '../../records/integration-events/read-events.ts';
import { changeWebhook, createWebhook, removeWebhook, replayWebhook } from './change-webhooks.ts';
import { eventFrom } from './event-data.ts';
import {
  chosenOf,
  type DeliveryRow,
  deliveryFrom,
  IntegrationEventSchema,
  MadeWebhookSchema,
  NewWebhookSchema,
  WebhookDeliverySchema,
  WebhookEditSchema,
  type WebhookRow,
  WebhookSchema,
  webhookFrom,
} from './webhook.ts';
import { actionsOfWebhook, WebhookActionsSchema } from './webhook-actions.ts';
import { countDeliveries, findWebhook, listDeliveries, listWebhooks } from './webhook-store.ts';

/** A webhook on its own, with what its reader can do with it. */
const ShownWebhookSchema = z
  .strictObject({ ...WebhookSchema.shape, actions: WebhookActionsSchema })
  .meta({ id: 'WebhookWithActions' });

const tags = ['Webhooks'];
const EVENTS_ON_PAGE = 100;

const listRoute = createRoute({
  method: 'get',
  path: '/webhooks',
  tags,
  summary: 'List webhooks, newest first',
  responses: responses.list(WebhookSchema, 'Webhooks'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/webhooks',
  tags,
  summary: 'Create a webhook',
  description:
    'Events are posted in order, signed as defined by Standard Webhooks, until the answer is 2xx: ' +
    'again after 5 s, 30 s, 2 min, 10 min, 1 h and then every 6 h. After 3 days of failure the ' +
    'webhook is paused. An event may arrive more than once, with the same `webhook-id`.',
  request: { body: jsonBody(NewWebhookSchema) },
  // No redirect: who followed it would have lost the secret.
  responses: {
    201: {
      description: 'Created; the secret is shown only now',
      headers: { Location: { description: 'Its address', schema: { type: 'string' as const } } },
      content: json(MadeWebhookSchema),
    },
    ...WRITE_REFUSALS,
  },
});

const eventsRoute = createRoute({
  method: 'get',
  path: '/webhooks/events',
  tags,
  summary: 'List events after a number, oldest first',
  description: 'For integrators that poll. Events are kept for 30 days.',
  request: {
    query: z.strictObject({ after: z.coerce.number().int().min(0).default(0) }),
  },
  responses: {
    200: {
      description: 'Up to 100 events; `newest` is the number of the newest event',
      content: json(
        z
          .strictObject({ newest: z.int().min(0), data: z.array(IntegrationEventSchema) })
          .meta({ id: 'IntegrationEvents' }),
      ),
    },
    ...LIST_REFUSALS,
  },
});

const getRoute = createRoute({
  method: 'get',
  path: '/webhooks/{id}',
  tags,
  summary: 'Get a webhook',
  request: { params: IdParamSchema },
  responses: responses.read(ShownWebhookSchema, 'The webhook'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/webhooks/{id}',
  tags,
  summary: 'Update, pause or resume a webhook',
  request: { params: IdParamSchema, body: jsonBody(WebhookEditSchema) },
  responses: responses.edit(ShownWebhookSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/webhooks/{id}',
  tags,
  summary: 'Delete a webhook and its delivery log',
  request: { params: IdParamSchema },
  responses: responses.delete('Deleted'),
});

const deliveriesRoute = createRoute({
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  tags,
  summary: 'List the deliveries of a webhook, newest first',
  request: { params: IdParamSchema, query: z.strictObject({ next: CursorParamSchema.optional() }) },
  responses: {
    200: { description: 'Deliveries', content: json(listOf(WebhookDeliverySchema)) },
    ...LIST_REFUSALS,
    ...READ_REFUSALS,
  },
});

const replayRoute = createRoute({
  method: 'post',
  path: '/webhooks/{id}/replay',
  tags,
  summary: 'Redeliver the events after an event',
  request: {
    params: IdParamSchema,
    body: jsonBody(
      z.strictObject({ after: z.int().min(0) }).meta({ id: 'WebhookReplay', example: { after: 1042 } }),
    ),
  },
  responses: responses.write(ShownWebhookSchema, 'The events are sent again'),
});

export function webhookRoutes({ db, clock, allowInternalWebhooks }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const rows = await db.read(listWebhooks);
      return c.json(wholeList(rows.map(webhookFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createWebhook(db, actorOf(c, clock), c.req.valid('json'), allowInternalWebhooks);
      if (!made.ok) return refuse(c, 'webhook', made);
      const { id, secret } = made.webhook;
      return c.json({ ...webhookFrom(made.webhook), secret }, 201, { Location: `/webhooks/${id}` });
    })
    .openapi(eventsRoute, async (c) => {
      const { after } = c.req.valid('query');
      const { newest, events } = await db.read(async (q) => ({
        newest: await newestEvent(q),
        events: await eventsAfter(q, after, { types: null, siteId: null }, EVENTS_ON_PAGE),
      }));
      return c.json({ newest, data: events.map(eventFrom) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findWebhook(q, id));
      if (row === null) return notFound(c, 'webhook');
      return c.json(shown(c, row), 200, { ETag: etagOf(chosenOf(row)) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const edit = c.req.valid('json');
      const changed = await changeWebhook(db, actorOf(c, clock), id, edit, allowInternalWebhooks);
      if (!changed.ok) return refuseEdit(c, 'webhook', changed);
      const { webhook } = changed;
      const headers = { Location: `/webhooks/${id}`, ETag: etagOf(chosenOf(webhook)) };
      return c.json(shown(c, webhook), 303, headers);
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const removed = await removeWebhook(db, actorOf(c, clock), id);
      return removed.ok ? c.body(null, 204) : notFound(c, 'webhook');
    })
    .openapi(deliveriesRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { next: cursor } = c.req.valid('query');
      const page = await db.read(async (q) => {
        if ((await findWebhook(q, id)) === null) return null;
        return await readPage(
          { cursor },
          (row: DeliveryRow) => ({ rank: 0, at: row.at, id: row.id }),
          (limit) => listDeliveries(q, id, { cursor, limit }),
          () => countDeliveries(q, id),
        );
      });
      if (page === null) return notFound(c, 'webhook');
      return c.json({ ...page, data: page.data.map(deliveryFrom) }, 200);
    })
    .openapi(replayRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { after } = c.req.valid('json');
      const replayed = await replayWebhook(db, actorOf(c, clock), id, after);
      if (!replayed.ok) return refuse(c, 'webhook', replayed);
      return c.json(shown(c, replayed.webhook), 303, { Location: `/webhooks/${id}` });
    });
}

function shown(c: Context<CloudEnv>, webhook: WebhookRow): z.infer<typeof ShownWebhookSchema> {
  return { ...webhookFrom(webhook), actions: actionsOfWebhook(callerOf(c, 'account'), webhook) };
}
