import type { Filters } from '../../shell/use-filters.ts';
import type { VisitQuery } from './visit-api.ts';

/** The filters of the list, as they stand in the address and as the cloud takes them. */
const NAMES = [
  'status',
  'collection',
  'plate',
  'near',
  'prefix',
  'date.from',
  'date.to',
  'ended.from',
  'ended.to',
  'insideAt',
  'payment.status',
  'invoice.status',
  'flag',
  'laneId',
  'customerId',
  'amount.min',
  'order',
] as const;

/** The ways to search for a plate; each is a separate filter. */
export const PLATE_WAYS = ['plate', 'near', 'prefix'] as const;
export type PlateWay = (typeof PLATE_WAYS)[number];

/** The filters of an address that are the list's; the cloud checks their values. */
export function filtersOf(filters: Filters): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (filters[name] ? [[name, filters[name]] as const] : [])));
}

export function queryOf(filters: Filters, site: { siteId?: string }): VisitQuery {
  // Texts of the address: what is none of the values that a filter has is refused by the cloud, and shown as that.
  return { ...filtersOf(filters), ...site } as VisitQuery;
}

/** The key of the list of a query: the page of a visit finds its neighbours in the same list. */
export function listKey(query: VisitQuery): readonly unknown[] {
  return ['visits', 'list', query];
}

/** How a plate is searched for, and which. */
export function plateFilterOf(filters: Filters): { way: PlateWay | null; plate: string } {
  const way = PLATE_WAYS.find((one) => filters[one]) ?? null;
  return { way, plate: way === null ? '' : (filters[way] ?? '') };
}
