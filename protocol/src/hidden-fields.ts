const HIDDEN = '[hidden]';
/** Nothing that is logged lies deeper; a ring ends there too. */
const MAX_DEPTH = 12;

/** A copy of what is to be logged, with the values of these fields hidden, however deep they lie. Errors stay as they are. */
export function hideFields(
  fields: Record<string, unknown>,
  names: ReadonlySet<string>,
  depth = 0,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      names.has(name) && value !== null && value !== undefined ? HIDDEN : hidden(value, names, depth + 1),
    ]),
  );
}

function hidden(value: unknown, names: ReadonlySet<string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hidden(item, names, depth + 1));
  // Dates and the like write themselves.
  return 'toJSON' in value ? value : hideFields({ ...value }, names, depth);
}
