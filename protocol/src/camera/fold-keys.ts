/**
 * A JSON value with the names of its members in lower case and without anything but letters and digits, so that
 * `plate_image`, `plateImage` and `Plate Image` are one. Of members that become the same the first stays. The value
 * must not be nested deeply.
 */
export function foldKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foldKeys);
  if (typeof value !== 'object' || value === null) return value;
  const folded: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const key = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (!Object.hasOwn(folded, key)) folded[key] = foldKeys(member);
  }
  return folded;
}
