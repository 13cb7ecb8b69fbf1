import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { findSite, listSites } from '../../records/sites/find-sites.ts';
import type { SiteWithLink } from '../../records/sites/site-store.ts';
import type { AwaySince } from '../devices/device.ts';
import { deviceSummaries, deviceSummary } from '../devices/site-devices.ts';
import { type SiteView, siteView } from './site-view.ts';

/** Every site by name, with how its link and its devices are. @param archived absent: both kinds */
export async function sitesWithDevices(q: Queries, archived?: boolean): Promise<SiteView[]> {
  const all = await listSites(q);
  const sites = all.filter(({ site }) => archived === undefined || archived === (site.archivedAt !== null));
  const away = new Map(sites.map((site) => [site.site.id, awaySince(site)]));
  const devices = await deviceSummaries(q, away);
  return sites.map((site) => siteView(site, devices.get(site.site.id)));
}

export async function siteWithDevices(q: Queries, site: SiteWithLink): Promise<SiteView> {
  return siteView(site, await deviceSummary(q, site.site.id, awaySince(site)));
}

/** The time since which a site is away; null: it is connected; undefined: there is no such site. */
export async function siteAwaySince(q: Queries, id: string): Promise<AwaySince | undefined> {
  const site = await findSite(q, id);
  return site === null ? undefined : awaySince(site);
}

/** How the link of a site is; one that was never here has not been since it was made. */
export interface SiteLink {
  siteId: string;
  connected: boolean;
  isNew: boolean;
  since: UtcTime;
}

/** The links of the sites that may connect. */
export async function sitesByLink(q: Queries): Promise<SiteLink[]> {
  const sites = await listSites(q);
  return sites.flatMap(({ site, presence }) => {
    if (site.secretHash === null || site.archivedAt !== null) return [];
    const isNew = presence === null;
    return [
      {
        siteId: site.id,
        connected: presence?.connected ?? false,
        isNew,
        since: presence?.since ?? site.createdAt,
      },
    ];
  });
}

function awaySince({ site, presence }: Pick<SiteWithLink, 'site' | 'presence'>): AwaySince {
  if (presence?.connected) return null;
  return presence?.since ?? site.createdAt;
}
