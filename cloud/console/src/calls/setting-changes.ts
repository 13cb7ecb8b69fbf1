import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { apiOf, read } from './api.ts';

/** The latest change of a setting. */
export interface SettingChange {
  on: string;
  who: string;
}

export const NO_CHANGES: ReadonlyMap<string, SettingChange> = new Map();

const auditApi = apiOf<typeof auditRoutes>();

/** The latest change of each setting among the site's latest hundred or so changes. */
export async function readSettingChanges(
  siteId: string,
  action: 'site.update' | 'site.limits' = 'site.update',
): Promise<Map<string, SettingChange>> {
  const query = { subject: 'site', subjectId: siteId, action };
  const { data } = await read(auditApi.audit.$get({ query }));
  return latestChanges(data);
}

/** @param lines of the audit log, newest first */
export function latestChanges(
  lines: readonly { on: string; by: string; byName: string | null; before: unknown; after: unknown }[],
): Map<string, SettingChange> {
  const found = new Map<string, SettingChange>();
  for (const { on, by, byName, before, after } of lines) {
    const [old, now] = [flat(before), flat(after)];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const isSame = JSON.stringify(old.get(name)) === JSON.stringify(now.get(name));
      if (!isSame && !found.has(name)) found.set(name, { on, who: byName ?? by });
    }
  }
  return found;
}

/** The fields of a site as its form names them. */
function flat(site: unknown): Map<string, unknown> {
  const { settings, ...own } = objectOf(site);
  const { seller, ...others } = objectOf(settings);
  const ofSeller = Object.entries(objectOf(seller)).map(
    ([name, value]) => [`seller.${name}`, value] as const,
  );
  return new Map([...Object.entries(own), ...Object.entries(others), ...ofSeller]);
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
