import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { LANGUAGE_NAMES } from '@hlid/protocol/base/language';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import { apiOf, read } from '../../calls/api.ts';
import type { Draft } from '../../ui/draft.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { wallText } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { WORDS } from './site-words.ts';

type Parts = readonly { title: string; fields: readonly FieldSpec<Draft>[] }[];

/** The latest change of a setting. */
export interface SettingChange {
  on: string;
  who: string;
}

const DEFAULTS = new Map<string, unknown>(Object.entries(SITE_DEFAULTS));
const auditApi = apiOf<typeof auditRoutes>();

/** The settings with their defaults and last changes, each in its hint. */
export function withNotes(
  parts: Parts,
  changes: ReadonlyMap<string, SettingChange>,
  timeZone: string,
): Parts {
  return parts.map((part) => ({ ...part, fields: part.fields.map((field) => noted(field)) }));

  function noted(field: FieldSpec<Draft>): FieldSpec<Draft> {
    const change = changes.get(field.name);
    const texts = [
      field.hint,
      defaultText(field.name),
      change && WORDS.lastChange({ when: wallText(change.on, timeZone), who: change.who }),
    ].filter((text) => text !== undefined);
    return texts.length === 0 ? field : { ...field, hint: texts.join(' ') };
  }
}

function defaultText(name: string): string | undefined {
  if (!DEFAULTS.has(name)) return undefined;
  return WORDS.defaultIs({ value: valueText(DEFAULTS.get(name)) });
}

function valueText(value: unknown): string {
  if (value === null) return WORDS.notCounted;
  if (typeof value === 'boolean') return value ? COMMON.yes : COMMON.no;
  const language = Object.entries(LANGUAGE_NAMES).find(([code]) => code === value);
  return language?.[1] ?? String(value);
}

/** The latest change of each setting among the site's latest hundred or so changes. */
export async function readSettingChanges(siteId: string): Promise<Map<string, SettingChange>> {
  const query = { subject: 'site', subjectId: siteId, action: 'site.update' };
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
