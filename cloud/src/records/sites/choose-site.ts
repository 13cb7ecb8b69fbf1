import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { normalizeSiteCode } from '@hlid/protocol/site-link/site-code';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { siteTable } from './site-table.ts';

export interface ChosenSite {
  id: string;
  code: string;
  timeZone: string;
  currency: string;
  settings: SiteSettings;
}

const columns = {
  id: siteTable.id,
  code: siteTable.code,
  timeZone: siteTable.timeZone,
  currency: siteTable.currency,
  settings: siteTable.settings,
};

const byId = prepared((q) =>
  q.select(columns).from(siteTable).where(eqPlaceholder(siteTable.id, 'id')).prepare(),
);
const byCode = prepared((q) =>
  q.select(columns).from(siteTable).where(eqPlaceholder(siteTable.code, 'code')).prepare(),
);
const firstTwo = prepared((q) => q.select(columns).from(siteTable).limit(2).prepare());
const twoTimeZones = prepared((q) =>
  q.selectDistinct({ timeZone: siteTable.timeZone }).from(siteTable).limit(2).prepare(),
);

/** The time zones of the sites that sell something: of one, or of all (null). Without sites there is UTC. */
export async function timeZonesOf(q: Queries, siteId: string | null): Promise<string[]> {
  const site = siteId === null ? null : await siteById(q, siteId);
  if (site !== null) return [site.timeZone];
  const zones = await q.selectDistinct({ timeZone: siteTable.timeZone }).from(siteTable);
  return zones.length === 0 ? ['UTC'] : zones.map(({ timeZone }) => timeZone);
}

export async function siteById(q: Queries, id: string): Promise<ChosenSite | null> {
  return (await byId(q).get({ id })) ?? null;
}

/** The site of a typed code, or of an id, which older signs have in its place. */
export async function siteByCode(q: Queries, typed: string): Promise<ChosenSite | null> {
  return (await byCode(q).get({ code: normalizeSiteCode(typed) })) ?? (await siteById(q, typed));
}

/** The only site: with one site, requests need not name it. Null where there are none or several. */
export async function onlySite(q: Queries): Promise<ChosenSite | null> {
  const [site, another] = await firstTwo(q).all();
  return another === undefined ? (site ?? null) : null;
}

/** The site that is named, or else the only one; why not, where there is none such. */
export async function chooseSite(
  q: Queries,
  id: string | undefined,
): Promise<{ ok: true; site: ChosenSite } | RefusedInput> {
  const site = id === undefined ? await onlySite(q) : await siteById(q, id);
  if (site !== null) return { ok: true, site };
  return refusedInput(id === undefined ? mistake('which-site', 'siteId') : NO_SUCH_SITE);
}

export const NO_SUCH_SITE = mistake('not-found', 'siteId', { what: 'site' });

/** The one time zone of all sites, for days without a site; UTC if they have several. */
export async function commonTimeZone(q: Queries): Promise<string> {
  const [zone, another] = await twoTimeZones(q).all();
  return zone === undefined || another !== undefined ? 'UTC' : zone.timeZone;
}
