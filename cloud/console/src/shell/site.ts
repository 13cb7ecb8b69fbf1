import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf, read, readTagged } from '../calls/api.ts';
import { OWN_ZONE } from '../ui/time.tsx';
import { COMMON } from '../words/common.ts';
import { isOperator, useSession } from './session.ts';

export const siteApi = apiOf<typeof siteRoutes>();

/** The value that replaces a site's id in an address. */
export const EVERY_SITE = 'all';

const sitesQuery = queryOptions({
  queryKey: ['sites'],
  // Archived ones have names too.
  queryFn: async () => (await read(siteApi.sites.$get({ query: { archived: 'all' } }))).data,
  staleTime: MINUTE_MS,
});
export type Site = Awaited<ReturnType<Exclude<typeof sitesQuery.queryFn, symbol | undefined>>>[number];

/** One site, with what the person can do with it. */
export const readSite = (id: string) => readTagged(siteApi.sites[':id'].$get({ param: { id } }));
export const siteQuery = (id: string) =>
  queryOptions({ queryKey: ['site', id], queryFn: () => readSite(id) });
export type SiteAction = Awaited<ReturnType<typeof readSite>>['body']['actions'][number];

/** The sites of an operator, also archived ones. Other accounts see their own records of every site. */
export function useAllSites(): readonly Site[] {
  const session = useSession();
  return useQuery({ ...sitesQuery, enabled: isOperator(session) }).data ?? [];
}

/** The sites that are in use. */
export function useSites(): readonly Site[] {
  return useAllSites().filter(({ archivedOn }) => archivedOn === null);
}

/** The site in the address; null: all of them. */
export function useSiteId(): string | null {
  const { site } = useParams({ strict: false });
  return site === undefined || site === EVERY_SITE ? null : site;
}

/** The site in the address once it is known. */
export function useSite(): Site | null {
  const id = useSiteId();
  return useAllSites().find((site) => site.id === id) ?? null;
}

/** Names of sites by their ids. */
export function useSiteNames(): (id: string) => string {
  const sites = useAllSites();
  return (id) => sites.find((site) => site.id === id)?.name ?? COMMON.unknown;
}

/** The site that a form for something new begins with: the one that is shown, otherwise the first one. */
export function useSiteForNew() {
  const sites = useSites();
  const shown = useSiteId();
  return useState(shown ?? sites[0]?.id ?? '');
}

/** `siteId` as calls take it. */
export function useSiteFilter(): { siteId?: string } {
  const siteId = useSiteId();
  return siteId === null ? {} : { siteId };
}

/** The time zone of a site's clock; without a site, of the first one, as the cloud does it too. */
export function useTimeZone(siteId?: string | null): string {
  const sites = useAllSites();
  const shown = useSiteId();
  const site = sites.find(({ id }) => id === (siteId ?? shown)) ?? sites[0];
  return site?.timeZone ?? OWN_ZONE;
}

/** Time zones of sites by their ids: a list may show visits of several. */
export function useTimeZones(): (siteId: string) => string {
  const sites = useAllSites();
  const fallback = useTimeZone();
  return (siteId) => sites.find(({ id }) => id === siteId)?.timeZone ?? fallback;
}
