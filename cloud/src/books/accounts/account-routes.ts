import { createRoute, z } from '@hono/zod-openapi';
import { ownRows, seesSite } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { createAccount, findAccount, listAccounts, updateAccount } from './change-accounts.ts';
import {
  accountFrom,
  MoneyAccountEditSchema,
  MoneyAccountSchema,
  NewMoneyAccountSchema,
} from './money-account.ts';

const tags = ['Books'];

const listRoute = createRoute({
  method: 'get',
  path: '/money-accounts',
  tags,
  summary: 'List the accounts with providers and banks, newest first',
  request: { query: z.strictObject({ siteId: IdSchema.optional() }) },
  responses: responses.list(MoneyAccountSchema, 'Accounts'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/money-accounts',
  tags,
  summary: 'Add an account with a provider or a bank',
  description:
    'Files name their accounts, and are imported only where the account is known: so each belongs to a site, or to those ' +
    'who see every site. A file in CSV without a published format is read by the mapping of its account.',
  request: { body: jsonBody(NewMoneyAccountSchema) },
  responses: responses.write(MoneyAccountSchema, 'Added'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/money-accounts/{id}',
  tags,
  summary: 'Get an account with a provider or a bank',
  request: { params: IdParamSchema },
  responses: responses.read(MoneyAccountSchema, 'The account'),
});

const editRoute = createRoute({
  method: 'put',
  path: '/money-accounts/{id}',
  tags,
  summary: 'Change an account with a provider or a bank',
  request: { params: IdParamSchema, body: jsonBody(MoneyAccountEditSchema) },
  responses: responses.edit(MoneyAccountSchema, 'Changed'),
});

/** The accounts whose files are imported. */
export function moneyAccountRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { siteId } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const rows = await db.read((q) => listAccounts(q, own));
      const asked = rows.filter(
        (row) => siteId === undefined || (row.siteId === siteId && seesSite(own, siteId)),
      );
      return c.json(wholeList(asked.map(accountFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createAccount(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'money-account', made);
      const { account } = made;
      return c.json(accountFrom(account), 303, { Location: `/money-accounts/${account.id}` });
    })
    .openapi(getRoute, async (c) => {
      const row = await db.read((q) => findAccount(q, c.req.valid('param').id));
      if (row === null) return notFound(c, 'money-account');
      return c.json(accountFrom(row), 200, { ETag: etagOf(row) });
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateAccount(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'money-account', changed);
      const { account } = changed;
      return c.json(accountFrom(account), 303, {
        Location: `/money-accounts/${id}`,
        ETag: etagOf(account),
      });
    });
}
