import { nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Queries } from '../../platform/db/db.ts';
import { ownRows, type TokenCaller } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import {
  IdSchema,
  MomentSchema,
  PART_OF_PLATE,
  PlateSchema,
  YesNoSchema,
} from '../../platform/http/input-fields.ts';
import { readPage, TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { createEntry, deleteEntry, updateEntry } from './change-whitelist.ts';
import { actionsOfEntry, EntryActionsSchema } from './entry-actions.ts';
import { type ChangeFacts, readChangeFacts } from './entry-change.ts';
import { EntryEditSchema, EntrySchema, entryFrom, type NewEntrySchema } from './whitelist-entry.ts';
import {
  countEntries,
  ENTRY_ORDERS,
  type EntryWithAuthor,
  findEntry,
  listEntries,
  placeInOrder,
} from './whitelist-store.ts';

/** The filters of a list of entries, or of their export. */
export const EntryFiltersSchema = z.strictObject({
  collection: z.string().optional(),
  plate: PlateSchema.optional().describe(`${PART_OF_PLATE} Equal plates come first.`),
  reason: z.string().min(1).optional().describe('The beginning of the reason.'),
  active: YesNoSchema.optional().describe('Whether it is valid now, apart from its weekly rules.'),
  expire: z
    .union([YesNoSchema, MomentSchema])
    .optional()
    .describe('`true`: with an expiry; `false`: without; a time: expires by then.'),
  type: z.enum(['permanent', 'temporary']).optional(),
  status: z
    .enum(['active', 'paused', 'deleted', 'all'])
    .optional()
    .describe('Default: all but deleted entries.'),
  objectType: z.enum(['allow', 'block']).optional(),
  siteId: z.string().optional().describe('Entries that are valid at this site.'),
  customer: IdSchema.optional().describe('Id of a customer: entries of its accounts.'),
});

/** An entry with what its reader can do with it. */
export const ShownEntrySchema = z
  .strictObject({ ...EntrySchema.shape, actions: EntryActionsSchema })
  .meta({ id: 'WhitelistEntryWithActions' });
type ShownEntry = z.infer<typeof ShownEntrySchema>;

/** The path of the calls on entries, and what differs in the deprecated ones. */
interface EntryAddress {
  path: '/visit/whitelist' | '/whitelist';
  tags: string[];
  deprecated: boolean;
  Filters: typeof EntryFiltersSchema;
  NewEntry: typeof NewEntrySchema;
}

/** The description of the calls on entries at an address. */
function describeRoutes(address: EntryAddress) {
  const { path, Filters, NewEntry, ...described } = address;
  const one = `${path}/{id}` as const;

  const listRoute = createRoute({
    method: 'get',
    path,
    ...described,
    summary: 'List whitelist entries, newest first',
    request: {
      query: Filters.extend({
        order: z
          .enum(ENTRY_ORDERS)
          .optional()
          .describe(
            '`newest` (default) and `oldest` by creation; `plate` from A to Z, `-plate` from Z to A.',
          ),
        next: TextCursorParamSchema.optional().describe(
          'Use it with the same `order` as in the answer that contained it.',
        ),
      }),
    },
    responses: responses.list(ShownEntrySchema, 'Entries'),
  });

  const newRoute = createRoute({
    method: 'post',
    path,
    ...described,
    summary: 'Create a whitelist entry; pushed to sites immediately',
    request: { body: jsonBody(NewEntry) },
    responses: responses.write(ShownEntrySchema, 'Created'),
  });

  const getRoute = createRoute({
    method: 'get',
    path: one,
    ...described,
    summary: 'Get a whitelist entry, deleted or not',
    request: { params: IdParamSchema },
    responses: responses.read(ShownEntrySchema, 'The entry'),
  });

  const changeRoute = createRoute({
    method: 'put',
    path: one,
    ...described,
    summary: 'Update a whitelist entry; omitted fields are unchanged',
    request: { params: IdParamSchema, body: jsonBody(EntryEditSchema) },
    responses: responses.edit(ShownEntrySchema, 'Changed'),
  });

  const deleteRoute = createRoute({
    method: 'delete',
    path: one,
    ...described,
    summary: 'Delete a whitelist entry; removed from sites immediately',
    request: { params: IdParamSchema },
    responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS, ...REFUSALS.stale },
  });

  return { listRoute, newRoute, getRoute, changeRoute, deleteRoute };
}

/** The calls on whitelist entries at an address. `Location` always is the address that is not deprecated. */
export function entryRoutes({ db, clock }: CloudContext, address: EntryAddress) {
  const { listRoute, newRoute, getRoute, changeRoute, deleteRoute } = describeRoutes(address);
  const shown = (c: Context<CloudEnv>, found: EntryWithAuthor) =>
    db.read((q) => shownEntry(q, callerOf(c, 'account', 'role'), nowUtc(clock), found));
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, order = 'newest', ...filters } = c.req.valid('query');
      const caller = callerOf(c, 'account', 'role');
      const asking = { own: ownRows(caller), now: nowUtc(clock) };
      const page = await db.read(async (q) => {
        const found = await readPage(
          { cursor },
          placeInOrder(order),
          (limit) => listEntries(q, filters, asking, { order, cursor, limit }),
          () => countEntries(q, filters, asking),
        );
        return { ...found, data: await shownEntries(q, caller, asking.now, found.data) };
      });
      return c.json(page, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createEntry(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'whitelist-entry', made);
      return c.json(await shown(c, made.found), 303, { Location: entryPath(made.found) });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account', 'role'));
      const found = await db.read((q) => findEntry(q, id, own));
      return found === null
        ? notFound(c, 'whitelist-entry')
        : c.json(await shown(c, found), 200, { ETag: etagOf(found.entry) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateEntry(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'whitelist-entry', changed);
      return c.json(await shown(c, changed.found), 303, {
        Location: entryPath(changed.found),
        ETag: etagOf(changed.found.entry),
      });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteEntry(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuseEdit(c, 'whitelist-entry', deleted);
    });
}

/** The path of an entry. */
export function entryPath({ entry }: EntryWithAuthor): string {
  return `/visit/whitelist/${entry.id}`;
}

/** Entries as the API shows them to a caller. */
async function shownEntries(
  q: Queries,
  caller: TokenCaller,
  at: UtcTime,
  found: readonly EntryWithAuthor[],
): Promise<ShownEntry[]> {
  const entries = found.map(({ entry }) => entry);
  const facts = await readChangeFacts(q, { caller, at }, entries);
  return found.map((one) => viewOf(caller, facts, one));
}

/** One entry as the API shows it to a caller. */
export async function shownEntry(
  q: Queries,
  caller: TokenCaller,
  at: UtcTime,
  found: EntryWithAuthor,
): Promise<ShownEntry> {
  return viewOf(caller, await readChangeFacts(q, { caller, at }, [found.entry]), found);
}

function viewOf(
  caller: TokenCaller,
  facts: ChangeFacts,
  { entry, accountName, tokenName }: EntryWithAuthor,
): ShownEntry {
  return {
    ...entryFrom(entry, accountName ?? tokenName),
    actions: actionsOfEntry(caller, facts, entry),
  };
}
