import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { z } from 'zod';
import { FACTOR_ACTIONS, PASSKEY_ACTIONS } from '../../src/people/second-factors/factor-actions.ts';
import {
  passkeyTable,
  recoveryCodeTable,
  totpTable,
} from '../../src/records/second-factors/second-factor-table.ts';
import type { CallOptions, Json, TestApi } from '../api.ts';
import { OWN_CUSTOMER } from '../fuzz/people.ts';
import { actionKind } from './action-kind.ts';

const PASSWORD = 'þrjár gular kýr';
const LoginsSchema = z.array(z.looseObject({ tokenId: z.string() }));
const RowsSchema = z.array(z.looseObject({ id: z.string().optional(), tokenId: z.string() }));

/** A person who has logged in by a browser. */
export interface FactorHolder {
  accountId: string;
  loginId: string;
  options: CallOptions;
}

const holders = new WeakMap<TestApi, FactorHolder>();
/** The account and the login of each record. */
const placesOf = new Map<string, { accountId: string; loginId: string }>();

async function addLogin(api: TestApi): Promise<{ accountId: string; loginId: string }> {
  const account = { role: 'customer', status: 'active', name: 'Anna', customerId: OWN_CUSTOMER };
  const authentication = { email: `${randomUUID()}@example.is`, password: PASSWORD };
  const { id: accountId } = await api.made('/accounts', { account, authentication });
  const { body } = await api.call('GET', `/accounts/${accountId}/logins`);
  const [login] = LoginsSchema.parse(body['data']);
  if (login === undefined) throw new Error('the account has no login');
  return { accountId, loginId: login.tokenId };
}

/** The one holder of second factors among the callers of the walk. */
export async function factorHolder(api: TestApi): Promise<FactorHolder> {
  const known = holders.get(api);
  if (known !== undefined) return known;
  const { accountId, loginId } = await addLogin(api);
  const headers = await api.session(accountId, { loginId });
  const holder = { accountId, loginId, options: { token: null, headers } };
  holders.set(api, holder);
  return holder;
}

/** The row of a list with this id; 404: the caller does not see it. */
async function rowOf(
  api: TestApi,
  path: string,
  options: CallOptions | undefined,
  isMeant: (row: z.infer<typeof RowsSchema>[number]) => boolean,
): Promise<{ status: number; body: Json }> {
  const { status, body } = await api.call('GET', path, options);
  const row = status === 200 ? RowsSchema.parse(body['data']).find(isMeant) : undefined;
  return row === undefined ? { status: 404, body: {} } : { status, body: row };
}

const place = (id: string) => placesOf.get(id) ?? { accountId: ':id', loginId: '' };

async function addPasskey(api: TestApi, loginId: string): Promise<string> {
  const id = randomUUID();
  const row = { id, loginId, name: 'Telephone', publicKey: 'a', counter: 0, transports: [] };
  await api.db.write(({ q }) => q.insert(passkeyTable).values({ ...row, createdAt: api.now() }));
  return id;
}

export const PASSKEY_KIND = actionKind({
  rules: PASSKEY_ACTIONS,
  states: fc.boolean(),
  async make({ api }, isOfHolder) {
    const of = isOfHolder ? await factorHolder(api) : await addLogin(api);
    const id = await addPasskey(api, of.loginId);
    placesOf.set(id, of);
    return id;
  },
  pathOf: (id) => `/accounts/${place(id).accountId}/passkeys/${id === ':id' ? ':passkeyId' : id}`,
  read: (api, id, options) =>
    rowOf(api, `/accounts/${place(id).accountId}/passkeys`, options, (row) => row.id === id),
  calls: {
    rename: (_, { id }) => ({ path: passkeyPath(id), body: { name: randomUUID() } }),
    remove: (_, { id }) => ({ path: passkeyPath(id) }),
  },
});

function passkeyPath(id: unknown): string {
  return PASSKEY_KIND.pathOf(z.string().parse(id));
}

/** The second factors of a login. */
export const FACTOR_KIND = actionKind({
  rules: FACTOR_ACTIONS,
  states: fc.record({ isOfHolder: fc.boolean(), hasTotp: fc.boolean(), hasPasskey: fc.boolean() }),
  async make({ api }, { isOfHolder, hasTotp, hasPasskey }) {
    const of = isOfHolder ? await factorHolder(api) : await addLogin(api);
    const { loginId } = of;
    const at = api.now();
    await api.db.write(async ({ q }) => {
      for (const table of [passkeyTable, totpTable, recoveryCodeTable]) await q.delete(table);
      if (!hasTotp) return;
      const totp = { secret: 'JBSWY3DPEHPK3PXP', confirmedAt: at, lastStep: null, createdAt: at };
      await q.insert(totpTable).values({ loginId, ...totp });
    });
    if (hasPasskey) await addPasskey(api, loginId);
    placesOf.set(loginId, of);
    return loginId;
  },
  pathOf: (id) => `/accounts/${place(id).accountId}/totp`,
  read: (api, id, options) =>
    rowOf(api, `/accounts/${place(id).accountId}/totp`, options, (row) => row.tokenId === id),
  calls: {
    'add-passkey': (_, login) => ({ path: `${accountPath(login)}/passkeys/options` }),
    'add-totp': (_, login) => ({ path: `${accountPath(login)}/totp` }),
    'remove-totp': (_, login) => ({ path: `${accountPath(login)}/totp` }),
    'renew-codes': (_, login) => ({ path: `${accountPath(login)}/recovery-codes` }),
  },
});

function accountPath({ tokenId }: Json): string {
  return `/accounts/${place(z.string().parse(tokenId)).accountId}`;
}
