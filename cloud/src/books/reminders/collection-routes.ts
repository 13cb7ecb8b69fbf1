import { createRoute, z } from '@hono/zod-openapi';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import {
  CollectablesSchema,
  CollectionFileSchema,
  collectableFrom,
  collectedFrom,
  collectionFileFrom,
  NewCollectionFileSchema,
  WholeCollectionFileSchema,
} from './collection.ts';
import { countCollectionFiles, listCollectionFiles, placeByCreation } from './collection-store.ts';
import { listCollectables, makeCollectionFile, readCollectionFile } from './make-collection-file.ts';

const tags = ['Reminders'];

const collectablesRoute = createRoute({
  method: 'get',
  path: '/collectable-invoices',
  tags,
  summary: 'List invoices that may be handed to a collector now',
  description:
    'Act 95/2008: a warning was delivered, and at least ten whole days have gone since the last notice and since the last ' +
    'answer to a dispute; where the site reminds, all its letters were delivered. Nobody contests it, no payment of it is ' +
    'under way, no claim for it stands at a bank, and who owes it is known. The open charges of its reminders go with it, ' +
    'once they are due.',
  request: { query: z.strictObject({ siteId: IdSchema.optional() }) },
  responses: { 200: { description: 'The invoices', content: json(CollectablesSchema) }, ...LIST_REFUSALS },
});

const listRoute = createRoute({
  method: 'get',
  path: '/collection-files',
  tags,
  summary: 'List the files for collectors, newest first',
  request: {
    query: z.strictObject({ siteId: IdSchema.optional(), next: CursorParamSchema.optional() }),
  },
  responses: responses.list(CollectionFileSchema, 'The files'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/collection-files',
  tags,
  summary: 'Hand invoices to a collector',
  description:
    'All that are named, or none: each has to be in `GET /collectable-invoices` at that moment. An invoice is handed over ' +
    'once. From then on it is not reminded of, and gets no claim at a bank. An operator of some sites hands over invoices of ' +
    'one site at a time.',
  request: { body: jsonBody(NewCollectionFileSchema) },
  responses: responses.write(WholeCollectionFileSchema, 'The file'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/collection-files/{id}',
  tags,
  summary: 'Get a file for a collector, with what has changed since',
  description:
    'A payment, a credit note or a dispute since then is a `change`, of which the collector has to be told. What was handed ' +
    'over is what is open, paid and credited together.',
  request: { params: IdParamSchema },
  responses: responses.read(WholeCollectionFileSchema, 'The file'),
});

/** Files of unpaid invoices for collectors. */
export function collectionRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>) {
  const { db, clock } = context;
  const show = async (id: string, at: ReturnType<typeof actorOf>['at']) => {
    const read = await db.read((q) => readCollectionFile(q, id, at));
    if (read === null) return null;
    const items = read.items.map(({ item, change }) => collectedFrom(item, change));
    return { ...collectionFileFrom(read.file), items };
  };
  return createRouter()
    .openapi(collectablesRoute, async (c) => {
      const own = ownRows(callerOf(c, 'account'));
      const { at } = actorOf(c, clock);
      const { items, hasMore } = await db.read((q) => listCollectables(q, c.req.valid('query'), own, at));
      return c.json({ data: items.map(collectableFrom), hasMore }, 200);
    })
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeByCreation,
          (limit) => listCollectionFiles(q, filters, own, { cursor, limit }),
          () => countCollectionFiles(q, filters, own),
        ),
      );
      return c.json({ ...list, data: list.data.map(collectionFileFrom) }, 200);
    })
    .openapi(newRoute, async (c) => {
      const actor = actorOf(c, clock);
      const made = await makeCollectionFile(
        context,
        { ...actor, caller: callerOf(c, 'account') },
        c.req.valid('json'),
      );
      if (!made.ok) return refuse(c, 'invoice', made);
      const shown = await show(made.id, actor.at);
      if (shown === null) return notFound(c, 'collection-file');
      return c.json(shown, 303, { Location: `/collection-files/${made.id}` });
    })
    .openapi(getRoute, async (c) => {
      const shown = await show(c.req.valid('param').id, actorOf(c, clock).at);
      return shown === null ? notFound(c, 'collection-file') : c.json(shown, 200);
    });
}
