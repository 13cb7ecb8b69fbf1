import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { z } from '@hono/zod-openapi';
import { type RefusedInput, refusedInput } from '../refused.ts';

/** An edit of settings, as `settingsEdit` takes it: its values have been checked one by one. */
export type SettingsEdit = Record<string, unknown>;

/**
 * The schema of an edit of settings: every setting may be left out, and every one may be null. `mergeSettings`
 * applies it. Fields of the edit that the schema of the whole does not name are what it makes of them.
 */
export function settingsEdit(whole: z.ZodObject): z.ZodType<SettingsEdit> {
  const shape = Object.fromEntries(
    Object.entries(whole.shape).map(([name, field]) => [name, removable(field as z.ZodType)]),
  );
  const { catchall } = whole.def;
  const edit = z.strictObject(shape);
  return catchall === undefined ? edit : edit.catchall(catchall);
}

/** A field that may be left out, which then is no default, and may be null. */
function removable(field: z.ZodType): z.ZodType {
  let value = field;
  while (value instanceof z.ZodOptional || value instanceof z.ZodDefault || value instanceof z.ZodPrefault) {
    value = value.unwrap() as z.ZodType;
  }
  const edit = value.nullable().optional();
  return field.description === undefined ? edit : edit.describe(field.description);
}

/**
 * Settings after an edit, by one rule everywhere. A given setting replaces that setting as a whole. Null
 * removes it, and the default, if there is one, holds again. A setting that is not given stays.
 * @param place the place of the settings in the body, for messages
 */
export function mergeSettings<Settings>(
  schema: z.ZodType<Settings>,
  before: object,
  edit: SettingsEdit | undefined,
  place: string,
): { ok: true; settings: Settings } | RefusedInput {
  const merged = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(edit ?? {})) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, value);
  }
  const parsed = schema.safeParse(Object.fromEntries(merged));
  if (parsed.success) return { ok: true, settings: parsed.data };
  return refusedInput(
    ...inputMistakes(parsed.error).map((found) => ({ ...found, path: [place, ...found.path] })),
  );
}
