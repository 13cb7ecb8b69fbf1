export type Value = string | number | boolean | null | readonly string[];

/** The values of a form, by the names of its fields. */
export type Draft = Readonly<Record<string, Value>>;

/** The fields in which two drafts differ, as they are in the second. */
export function changesOf(before: Draft, draft: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSame(before[name] ?? null, value)),
  );
}

export function isSame(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
