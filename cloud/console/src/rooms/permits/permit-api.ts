import type { entryRoutes } from '@hlid/cloud/vehicles/whitelist/entry-routes';
import type { transferRoutes } from '@hlid/cloud/vehicles/whitelist/transfer-routes';
import { apiOf, LONG_TIMEOUT_MS, read, readTagged } from '../../calls/api.ts';

/** The calls on permits, which the cloud calls whitelist entries. */
const entries = apiOf<typeof entryRoutes>().visit.whitelist;
export const transferApi = apiOf<typeof transferRoutes>(LONG_TIMEOUT_MS).visit.whitelist;

export type Permit = Awaited<ReturnType<typeof readPermit>>['body'];
export type PermitEdit = Parameters<(typeof entries)[':id']['$put']>[0]['json'];
export type NewPermit = Parameters<(typeof entries)['$post']>[0]['json'];
export type PermitQuery = NonNullable<Parameters<(typeof entries)['$get']>[0]>['query'];

/** The queries that a change of a permit makes stale. */
export const PERMIT_QUERIES = [['permits'], ['permit']] as const;

export const listPermits = (query: PermitQuery) => read(entries.$get({ query }));
export const readPermit = (id: string) => readTagged(entries[':id'].$get({ param: { id } }));
export const addPermit = (json: NewPermit, headers: Record<string, string>) =>
  read(entries.$post({ json }, { headers }));
export const changePermit = (id: string, json: PermitEdit, headers: Record<string, string> = {}) =>
  read(entries[':id'].$put({ param: { id }, json }, { headers }));
