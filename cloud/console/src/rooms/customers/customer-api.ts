import type { customerRoutes } from '@hlid/cloud/people/customer-routes/customer-routes';
import { apiOf, read, readTagged } from '../../calls/api.ts';

const api = apiOf<typeof customerRoutes>();
type Headers = Record<string, string>;

export type Customer = Awaited<ReturnType<typeof listCustomers>>['data'][number];
export type ShownCustomer = Awaited<ReturnType<typeof readCustomer>>['body'];
export type CustomerQuery = NonNullable<Parameters<typeof api.customers.$get>[0]>['query'];
export type NewCustomer = Parameters<typeof api.customers.$post>[0]['json'];
export type CustomerEdit = Parameters<(typeof api.customer)[':id']['$put']>[0]['json'];

/** The queries that a change of a customer makes stale. */
export const CUSTOMER_QUERIES = [['customers'], ['customer']] as const;

export const listCustomers = (query: CustomerQuery) => read(api.customers.$get({ query }));
export const readCustomer = (id: string) => readTagged(api.customer[':id'].$get({ param: { id } }));
export const addCustomer = (json: NewCustomer, headers: Headers) =>
  read(api.customers.$post({ json }, { headers }));
export const changeCustomer = (id: string, json: CustomerEdit, headers: Headers = {}) =>
  read(api.customer[':id'].$put({ param: { id }, json }, { headers }));
