import { LANGUAGE_NAMES } from '@hlid/protocol/base/language';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import type { SettingChange } from '../../calls/setting-changes.ts';
import type { Draft } from '../../ui/draft.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { wallText } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { WORDS } from './site-words.ts';

type Parts = readonly { title: string; fields: readonly FieldSpec<Draft>[] }[];

const DEFAULTS = new Map<string, unknown>(Object.entries(SITE_DEFAULTS));

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
      change && COMMON.lastChange({ when: wallText(change.on, timeZone), who: change.who }),
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
