import type { accountRoutes } from '@hlid/cloud/people/accounts/account-routes';
import type { tokenRoutes } from '@hlid/cloud/people/tokens/token-routes';
import { apiOf, read } from '../../calls/api.ts';

export const accountApi = apiOf<typeof accountRoutes>().accounts;
const staffApi = apiOf<typeof accountRoutes>().staff;
export const tokenApi = apiOf<typeof tokenRoutes>().accounts;

type Headers = Record<string, string>;

export type Account = Awaited<ReturnType<typeof readAccount>>;
export type AccountAction = Account['actions'][number];
/** An account in a list. */
export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>['data'][number];
export type AccountQuery = NonNullable<Parameters<typeof accountApi.$get>[0]>['query'];
export type NewAccount = Parameters<typeof accountApi.$post>[0]['json'];
export type StaffInvitation = Parameters<typeof staffApi.$post>[0]['json'];
export type AccountEdit = Parameters<(typeof accountApi)[':id']['$put']>[0]['json'];
export type Login = Awaited<ReturnType<typeof readLogins>>[number];
export type NewLogin = Parameters<(typeof accountApi)[':id']['logins']['$post']>[0]['json'];
export type OpenSession = Awaited<ReturnType<typeof readSessions>>[number];

/** The queries that a change of an account makes stale. */
export const ACCOUNT_QUERIES = [['accounts'], ['account']] as const;

export const listAccounts = (query: AccountQuery) => read(accountApi.$get({ query }));
export const readAccount = (id: string) =>
  read(accountApi[':id'].$get({ param: { id }, query: { include: 'customer,activity' } }));
export const addAccount = (json: NewAccount, headers: Headers) =>
  read(accountApi.$post({ json }, { headers }));
export const inviteStaff = (json: StaffInvitation, headers: Headers) =>
  read(staffApi.$post({ json }, { headers }));
export const changeAccount = (id: string, json: AccountEdit, headers: Headers = {}) =>
  read(accountApi[':id'].$put({ param: { id }, json }, { headers }));
export const readLogins = async (id: string) =>
  (await read(accountApi[':id'].logins.$get({ param: { id } }))).data;
export const readSessions = async (id: string) =>
  (await read(tokenApi[':id'].tokens.$get({ param: { id }, query: {} }))).data;
