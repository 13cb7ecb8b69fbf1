/** One field that a change touched; empty: it was not there. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** What of a thing was changed, field by field, by the names that the API has for them: `settings.capacity`. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const old = flatOf(before);
  const now = flatOf(after);
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names
    .map((field) => ({ field, before: old.get(field) ?? '', after: now.get(field) ?? '' }))
    .filter((one) => one.before !== one.after);
}

function flatOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[path, String(value)]]);
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return new Map(value.length === 0 ? [] : [[path, value.join(', ')]]);
  }
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [...flatOf(one, path === '' ? name : `${path}.${name}`)]),
  );
}
