import type { Queries } from '../../platform/db/db.ts';
import type { VisitRow } from '../visits/visit-table.ts';
import { type ChosenSite, siteById } from './choose-site.ts';

/** The site at which a visit is. */
export async function siteOfVisit(
  q: Queries,
  { id, siteId }: Pick<VisitRow, 'id' | 'siteId'>,
): Promise<ChosenSite> {
  const site = await siteById(q, siteId);
  if (site === null) throw new Error(`visit ${id} is of a site that is not there`);
  return site;
}
