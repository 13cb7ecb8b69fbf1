import { siteTable } from '@hlid/cloud/sites/site-table';

/** The id of a site as every table of the cloud stores it, for SQL past the cloud. */
export function storedSiteId(id: string): string | number {
  return siteTable.id.mapToDriverValue(id) as string | number;
}
