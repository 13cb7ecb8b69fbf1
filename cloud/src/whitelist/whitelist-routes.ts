import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ownRows } from '../auth/caller.ts';
import { nowUtc } from '../clock.ts';
import { actorOf } from '../http/actor-of.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  WRITE_REFUSALS,
} from '../http/described.ts';
import { notFound, refuse } from '../http/errors.ts';
import { MomentSchema, PlateSchema } from '../http/input-fields.ts';
import { CursorParamSchema, listOf, PAGE_ROWS, readPage } from '../http/list-envelope.ts';
import { createRouter } from '../http/router.ts';
import { seeOther } from '../http/see-other.ts';
import { createEntry, deleteEntry, updateEntry } from './change-whitelist.ts';
import {
  EntryEditSchema,
  EntrySchema,
  entryFrom,
  NewEntrySchema,
  VisitEntrySchema,
} from './whitelist-entry.ts';
import { countEntries, type EntryWithAuthor, findEntry, listEntries } from './whitelist-store.ts';
import { whitelistVisit } from './whitelist-visit.ts';

const tags = ['Whitelist'];
const yesNo = z.enum(['true', 'false']).transform((text) => text === 'true');

const listRoute = createRoute({
  method: 'get',
  path: '/visit/whitelist',
  tags,
  summary: 'Whitelist entries, newest first',
  request: {
    query: z.strictObject({
      collection: z.string().optional(),
      plate: PlateSchema.optional(),
      reason: z.string().min(1).optional().describe('The beginning of the reason.'),
      active: yesNo.optional().describe('Whether it holds now, but for its weekly rules.'),
      expire: z
        .union([yesNo, MomentSchema])
        .optional()
        .describe('`true`: it expires; `false`: never; a moment: by then.'),
      type: z.enum(['permanent', 'temporary']).optional(),
      status: z.enum(['active', 'paused', 'deleted', 'all']).optional(),
      objectType: z.enum(['allow', 'block']).optional(),
      siteId: z.string().optional().describe('Entries that hold at this site.'),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: { 200: { description: 'Entries', content: json(listOf(EntrySchema)) }, ...LIST_REFUSALS },
});

const newRoute = createRoute({
  method: 'post',
  path: '/visit/whitelist',
  tags,
  summary: 'Let a plate in; the sites know it at once',
  request: { body: jsonBody(NewEntrySchema) },
  responses: { ...seeOther(EntrySchema, 'Added'), ...WRITE_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/visit/whitelist/{id}',
  tags,
  summary: 'One entry, deleted or not',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The entry', content: json(EntrySchema) }, ...READ_REFUSALS },
});

const changeRoute = createRoute({
  method: 'put',
  path: '/visit/whitelist/{id}',
  tags,
  summary: 'Change an entry; fields that are not given stay',
  request: { params: IdParamSchema, body: jsonBody(EntryEditSchema) },
  responses: { ...seeOther(EntrySchema, 'Changed'), ...WRITE_REFUSALS },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/visit/whitelist/{id}',
  tags,
  summary: 'Take an entry from the sites; it is kept as deleted',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
});

const visitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/whitelist',
  tags: ['Visits', 'Whitelist'],
  summary: 'Cover a visit by a temporary entry',
  request: { params: IdParamSchema, body: jsonBody(VisitEntrySchema) },
  responses: { ...seeOther(EntrySchema, 'Covered'), ...WRITE_REFUSALS },
});

export function whitelistRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const asking = { own: ownRows(callerOf(c, 'account', 'role')), now: nowUtc(clock) };
      const page = await db.read((q) =>
        readPage(
          { cursor, rows: PAGE_ROWS },
          ({ entry, rank }: EntryWithAuthor) => ({ rank, at: entry.createdAt, id: entry.id }),
          (limit) => listEntries(q, filters, asking, { cursor, limit }),
          () => countEntries(q, filters, asking),
        ),
      );
      return c.json({ ...page, data: page.data.map(shown) }, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createEntry(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'whitelist entry', made);
      return c.json(shown(made.found), 303, { Location: entryPath(made.found) });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account', 'role'));
      const found = await db.read((q) => findEntry(q, id, own));
      return found === null ? notFound(c, 'whitelist entry') : c.json(shown(found), 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateEntry(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'whitelist entry', changed);
      return c.json(shown(changed.found), 303, { Location: entryPath(changed.found) });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteEntry(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'whitelist entry', deleted);
    })
    .openapi(visitRoute, async (c) => {
      const { id } = c.req.valid('param');
      const made = await whitelistVisit(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!made.ok) return refuse(c, 'visit', made);
      return c.json(shown(made.found), 303, { Location: entryPath(made.found) });
    });
}

function entryPath({ entry }: EntryWithAuthor): string {
  return `/visit/whitelist/${entry.id}`;
}

function shown({ entry, accountName, tokenName }: EntryWithAuthor) {
  return entryFrom(entry, accountName ?? tokenName);
}
