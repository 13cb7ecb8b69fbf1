import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { searchKey } from '../../platform/db/search-key.ts';
import { ACCOUNT_ROLES, type Caller, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { accessDenied, notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { IdSchema, PlateSchema, SsnSchema } from '../../platform/http/input-fields.ts';
import {
  type Cursor,
  type List,
  readPage,
  TextCursorParamSchema,
  wholeList,
} from '../../platform/http/list-envelope.ts';
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
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { AccountEditSchema } from './account.ts';
import { AccountActionsSchema, actionsOfAccount } from './account-actions.ts';
import {
  ACCOUNT_ORDERS,
  type AccountFilters,
  type AccountOrder,
  type Asking,
  countAccounts,
  listAccounts,
  listKiosks,
  placeOf,
} from './account-list-store.ts';
import { accountLoginRoutes } from './account-login-routes.ts';
import { AccountRegistrationSchema } from './account-registration.ts';
import {
  type AccountInclude,
  AccountIncludeSchema,
  type AccountView,
  AccountViewSchema,
  accountViews,
  kioskView,
} from './account-view.ts';
import { deleteAccount, registerAccount, updateAccount } from './change-accounts.ts';
import { inviteStaff, StaffInvitationSchema } from './invite-staff.ts';
import { findLeaving, LeaveSchema, LeavingSchema, leave } from './leave.ts';
import { recoveryRoutes } from './recovery-routes.ts';

/** An account on its own, with what its reader can do with it. */
const ShownAccountSchema = z
  .strictObject({ ...AccountViewSchema.shape, actions: AccountActionsSchema })
  .meta({ id: 'AccountWithActions' });

const tags = ['Accounts'];

/** Kiosks on the one page of them: more than any operator has. */
const MAX_KIOSKS = 1000;

const listRoute = createRoute({
  method: 'get',
  path: '/accounts',
  tags,
  summary: 'List accounts; operators see all, others those of their customer',
  description:
    'The role `kiosk` lists the kiosks in the form of accounts, on one page, for operators only. A ' +
    'kiosk has a token instead of an account (POST /admin/create-role-bearer-token). It has no email ' +
    'address, national id, plate or comment to search for.',
  request: {
    query: z.strictObject({
      collection: z.enum(['latest']).optional().describe('`latest`: all, newest first.'),
      include: AccountIncludeSchema.optional(),
      name: z.string().min(1).max(200).optional().describe('Part of the name, with or without accents.'),
      comment: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Part of the comment, with or without accents.'),
      email: z
        .string()
        .min(1)
        .max(320)
        .optional()
        .describe('The email address or national id of one of its logins.'),
      status: z.enum(['active', 'inactive']).optional(),
      role: z.enum([...ACCOUNT_ROLES, 'kiosk']).optional(),
      plate: PlateSchema.optional().describe(
        'The plate of a vehicle now in its custody, or in its customer’s.',
      ),
      ssn: SsnSchema.optional().describe('The email address or national id of one of its logins.'),
      customer: IdSchema.optional().describe('Id of the customer for which it acts.'),
      order: z
        .enum(ACCOUNT_ORDERS)
        .optional()
        .describe(
          '`created` (default, newest first), `name` (A to Z), `status` (active first, oldest first).',
        ),
      next: TextCursorParamSchema.optional().describe(
        'Use it with the same `order` as in the answer that contained it.',
      ),
    }),
  },
  responses: responses.list(AccountViewSchema, 'Accounts'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/accounts',
  tags,
  summary: 'Create an account, optionally with a customer and a first login',
  request: { body: jsonBody(AccountRegistrationSchema) },
  responses: responses.write(ShownAccountSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/accounts/{id}',
  tags,
  summary: 'Get an account',
  request: {
    params: IdParamSchema,
    query: z.strictObject({ include: AccountIncludeSchema.optional() }),
  },
  responses: {
    200: { description: 'The account', content: json(ShownAccountSchema) },
    ...LIST_REFUSALS,
    ...READ_REFUSALS,
  },
});

const changeRoute = createRoute({
  method: 'put',
  path: '/accounts/{id}',
  tags,
  summary: 'Update an account; only operators can change more than their own name',
  description:
    'A change of role, status, rights or customer revokes all tokens of the account. If an account that is ' +
    "no operator's becomes inactive, its whitelist entries end; to keep some, give them another " +
    '`authorId` first. The last active operator with all rights keeps them. Nobody can change an account with ' +
    'more rights than their own.',
  request: { params: IdParamSchema, body: jsonBody(AccountEditSchema) },
  responses: responses.edit(ShownAccountSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/accounts/{id}',
  tags,
  summary: 'Delete an account with its logins and tokens',
  description:
    'Its actions stay in the audit log. Its whitelist entries end, unless it is an operator’s; to ' +
    'keep some, give them another `authorId` first. The last active operator with all rights cannot be deleted.',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
});

const staffRoute = createRoute({
  method: 'post',
  path: '/staff',
  tags,
  summary: 'Invite a person of the own customer by mail',
  description:
    'For an account with the option `managesStaff`. The new account has its role, its customer and its limits of ' +
    'permits, without that option. The link in the mail is valid once, for seven days.',
  request: { body: jsonBody(StaffInvitationSchema) },
  responses: responses.write(ShownAccountSchema, 'Invited'),
});

const leaveRoute = createRoute({
  method: 'post',
  path: '/accounts/{id}/leave',
  tags,
  summary: 'Let a person leave: sessions and tokens end, whitelist entries end or pass to another account',
  description:
    'The account becomes inactive and can be made active again; what has ended stays ended. Its actions stay in the ' +
    'audit log. The last active operator with all rights cannot leave.',
  request: { params: IdParamSchema, body: jsonBody(LeaveSchema) },
  responses: { 200: { description: 'What ends', content: json(LeavingSchema) }, ...WRITE_REFUSALS },
});

const leavingRoute = createRoute({
  method: 'get',
  path: '/accounts/{id}/leave',
  tags,
  summary: 'Get what would end if a person left',
  request: { params: IdParamSchema },
  responses: responses.read(LeavingSchema, 'What would end'),
});

export function accountRoutes(context: CloudContext) {
  const { db, clock } = context;
  const shown = async (caller: Caller, row: AccountRow) => await db.read((q) => viewOf(q, caller, row, []));
  return createRouter()
    .route('/', accountLoginRoutes(context))
    .route('/', recoveryRoutes(context))
    .openapi(listRoute, async (c) => {
      const {
        next: cursor,
        order = 'created',
        include = [],
        collection: _,
        ...filters
      } = c.req.valid('query');
      const asking = { own: ownRows(callerOf(c, 'account')), now: nowUtc(clock) };
      const { role, ...others } = filters;
      const page = await db.read((q) =>
        role === 'kiosk'
          ? kioskPage(q, others, asking)
          : accountPage(q, { ...others, role }, asking, { order, cursor, include }),
      );
      return c.json(page, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await registerAccount(db, actorOf(c, clock), c.req.valid('json'), context.publicUrl());
      if (!made.ok) return refuse(c, 'account', made);
      const view = await shown(callerOf(c, 'account'), made.account);
      return c.json(view, 303, { Location: `/accounts/${view.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { include = [] } = c.req.valid('query');
      const caller = callerOf(c, 'account');
      const own = ownRows(caller);
      const found = await db.read(async (q) => {
        const row = await findAccount(q, id);
        if (row === null || !seesAccount(own, row)) return null;
        return { row, view: await viewOf(q, caller, row, include) };
      });
      return found === null ? notFound(c, 'account') : c.json(found.view, 200, { ETag: etagOf(found.row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateAccount(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) {
        return changed.reason === 'denied' ? accessDenied(c) : refuseEdit(c, 'account', changed);
      }
      const view = await shown(callerOf(c, 'account'), changed.account);
      return c.json(view, 303, { Location: `/accounts/${id}`, ETag: etagOf(changed.account) });
    })
    .openapi(staffRoute, async (c) => {
      const made = await inviteStaff(db, actorOf(c, clock), c.req.valid('json'), context.publicUrl());
      if (!made.ok) return made.reason === 'denied' ? accessDenied(c) : refuse(c, 'account', made);
      const view = await shown(callerOf(c, 'account'), made.account);
      return c.json(view, 303, { Location: `/accounts/${view.id}` });
    })
    .openapi(leavingRoute, async (c) => {
      const { id } = c.req.valid('param');
      const found = await findLeaving(db, actorOf(c, clock), id);
      if (found.ok) return c.json(found.leaving, 200);
      return found.reason === 'denied' ? accessDenied(c) : notFound(c, 'account');
    })
    .openapi(leaveRoute, async (c) => {
      const { id } = c.req.valid('param');
      const left = await leave(db, actorOf(c, clock), id, c.req.valid('json'));
      if (left.ok) return c.json(left.leaving, 200);
      return left.reason === 'denied' ? accessDenied(c) : refuse(c, 'account', left);
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteAccount(db, actorOf(c, clock), id);
      if (deleted.ok) return c.body(null, 204);
      return deleted.reason === 'denied' ? accessDenied(c) : refuse(c, 'account', deleted);
    });
}

async function viewOf(
  q: Queries,
  caller: Caller,
  row: AccountRow,
  include: readonly AccountInclude[],
): Promise<z.infer<typeof ShownAccountSchema>> {
  const [view] = await accountViews(q, ownRows(caller), [row], include);
  if (view === undefined) throw new Error('an account without a view');
  return { ...view, actions: await actionsOfAccount(q, caller, row) };
}

async function accountPage(
  q: Queries,
  filters: AccountFilters,
  asking: Asking,
  wanted: { order: AccountOrder; cursor: Cursor | undefined; include: readonly AccountInclude[] },
): Promise<List<AccountView>> {
  const { order, cursor, include } = wanted;
  const page = await readPage(
    { cursor },
    placeOf(order),
    (limit) => listAccounts(q, filters, asking, { order, cursor, limit }),
    () => countAccounts(q, filters, asking),
  );
  return { ...page, data: await accountViews(q, asking.own, page.data, include) };
}

async function kioskPage(
  q: Queries,
  { name = '', status, ...accountsOnly }: Omit<AccountFilters, 'role'>,
  { own }: Asking,
): Promise<List<AccountView>> {
  const sought = Object.values(accountsOnly).every((value) => value === undefined);
  if (!own.all || status === 'inactive' || !sought) return wholeList([]);
  const kiosks = (await listKiosks(q, MAX_KIOSKS)).map(kioskView);
  return wholeList(kiosks.filter((kiosk) => searchKey(kiosk.name).includes(searchKey(name))));
}
