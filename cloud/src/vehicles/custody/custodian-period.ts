import { askedPeriod } from '../../day-span.ts';
import type { Queries } from '../../db/db.ts';
import { commonTimeZone } from '../../sites/choose-site.ts';
import type { CustodianFilters } from './custodian-store.ts';

/** Turns the days of a query into moments, where the sites are; days and moments are both included. */
export async function readCustodianPeriod(
  q: Queries,
  query: CustodianFilters & { 'date.from'?: string | undefined; 'date.to'?: string | undefined },
): Promise<CustodianFilters> {
  const { 'date.from': first, 'date.to': last, ...filters } = query;
  if (first === undefined && last === undefined) return filters;
  return { ...filters, ...askedPeriod({ first, last }, await commonTimeZone(q)) };
}
