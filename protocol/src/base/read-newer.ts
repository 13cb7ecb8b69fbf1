import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type UnknownKeys = { path: PropertyKey[]; keys: string[] };

/** Limit of passes; each pass finds unknown fields one level deeper. */
const MAX_ROUNDS = 8;

/**
 * Parses a message of a side that may be newer: unknown fields are ignored at any depth. Everything else must match
 * the schema.
 */
export function readNewer<Schema extends z.ZodType>(
  schema: Schema,
  document: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  let known = document;
  let read = schema.safeParse(known);
  for (let round = 0; !read.success && round < MAX_ROUNDS; round++) {
    const unknown = unknownKeys(read.error.issues);
    if (unknown === null) return read;
    known = structuredClone(known);
    for (const { path, keys } of unknown) drop(known, path, keys);
    read = schema.safeParse(known);
  }
  return read;
}

/** The same, for what a newer version of this program has stored. Throws where it does not match. */
export function parseNewer<Schema extends z.ZodType>(schema: Schema, document: unknown): z.output<Schema> {
  const read = readNewer(schema, document);
  if (!read.success) throw read.error;
  return read.data;
}

/** The paths of unknown fields; null if there are other mistakes. */
function unknownKeys(issues: readonly Issue[]): UnknownKeys[] | null {
  const found: UnknownKeys[] = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      found.push({ path: issue.path, keys: issue.keys });
      continue;
    }
    if (issue.code !== 'invalid_union') return null;
    const inOption = issue.errors
      .map((option) => (option.length === 0 ? null : unknownKeys(option)))
      .find((keys) => keys !== null);
    if (!inOption) return null;
    found.push(...inOption.map(({ path, keys }) => ({ path: [...issue.path, ...path], keys })));
  }
  return found.length === 0 ? null : found;
}

function drop(document: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let part = document;
  for (const step of path) {
    if (!isObject(part)) return;
    part = part[String(step)];
  }
  if (isObject(part)) for (const key of keys) delete part[key];
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null;
}
