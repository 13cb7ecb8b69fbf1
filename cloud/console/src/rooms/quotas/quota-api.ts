import type { purchaseRoutes } from '@hlid/cloud/money/invoices/purchase-routes';
import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import type { quotaRoutes } from '@hlid/cloud/money/quotas/quota-routes';
import type { payLinkRoutes } from '@hlid/cloud/paying/pay/pay-link-routes';
import type { customerRoutes } from '@hlid/cloud/people/customer-routes/customer-routes';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useQuery } from '@tanstack/react-query';
import { answered, apiOf, read, readTagged } from '../../calls/api.ts';
import { LANGUAGE } from '../../words/words.ts';

const api = apiOf<typeof quotaRoutes>().quotas;
const customerApi = apiOf<typeof customerRoutes>().customer;
const productApi = apiOf<typeof productRoutes>().products;
const purchaseApi = apiOf<typeof purchaseRoutes>();
const payLinkApi = apiOf<typeof payLinkRoutes>();
type Headers = Record<string, string>;

export type Quota = Awaited<ReturnType<typeof listQuotas>>['data'][number];
export type QuotaWithActions = Awaited<ReturnType<typeof readQuota>>['body'];
export type QuotaQuery = NonNullable<Parameters<typeof api.$get>[0]>['query'];
export type NewQuota = Parameters<typeof api.$post>[0]['json'];
export type QuotaPurchase = Parameters<typeof purchaseApi.quotas.purchase.$post>[0]['json'];
export type QuotaEdit = Parameters<(typeof api)[':id']['$put']>[0]['json'];

/** The queries that a change of a quota makes stale. */
export const QUOTA_QUERIES = [['quotas'], ['quota']] as const;

export const listQuotas = (query: QuotaQuery) => read(api.$get({ query }));
export const readQuota = (id: string) => readTagged(api[':id'].$get({ param: { id } }));
export const addQuota = (json: NewQuota, headers: Headers) => read(api.$post({ json }, { headers }));
export const changeQuota = (id: string, json: QuotaEdit, headers: Headers = {}) =>
  read(api[':id'].$put({ param: { id }, json }, { headers }));
export const resetQuota = (id: string, headers: Headers) =>
  read(api[':id'].reset.$post({ param: { id } }, { headers }));
export const deleteQuota = (id: string, headers: Headers = {}) =>
  answered(api[':id'].$delete({ param: { id } }, { headers }));

/** The name of a customer; null while it is read. */
export function useCustomerName(id: string): string | null {
  const { data } = useQuery({
    queryKey: ['customer', id, 'name'],
    queryFn: async () => {
      const { name, ssn } = await read(customerApi[':id'].$get({ param: { id } }));
      return name ?? ssn ?? id;
    },
    staleTime: MINUTE_MS,
    enabled: id !== '',
  });
  return data ?? null;
}

/** Makes the invoice of days. @returns the address at which it is paid by card */
export async function buyDays(json: QuotaPurchase, headers: Headers): Promise<string> {
  const { id } = await read(purchaseApi.quotas.purchase.$post({ json }, { headers }));
  const link = payLinkApi.invoice[':id']['pay-link'];
  return (await read(link.$post({ param: { id }, json: { language: LANGUAGE } }))).url;
}

/** A product that quotas are of. */
export interface QuotaProduct {
  id: string;
  name: string;
  /** Null: of every site. */
  siteId: string | null;
  price: { amountMinor: number; currency: string };
}

/** Products that quotas are of. */
export function useQuotaProducts(): readonly QuotaProduct[] | null {
  const { data } = useQuery({
    queryKey: ['products', 'quota'],
    queryFn: async () => {
      const { data: products } = await read(productApi.$get({ query: {} }));
      return products
        .filter(({ type }) => type === 'quota')
        .map(({ id, name, productCode, siteId, price, currency }) => ({
          id,
          siteId,
          name: name[LANGUAGE] ?? name['is'] ?? productCode,
          price: { amountMinor: price, currency },
        }));
    },
    staleTime: MINUTE_MS,
  });
  return data ?? null;
}
