import { z } from '@hono/zod-openapi';
import { REFUSALS } from './errors.ts';

/** Content in JSON of that schema, as OpenAPI describes it. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { 'application/json': { schema } };
}

/** A body that has to be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: json(schema) };
}

/** The parameter of a path that ends in `{id}`. */
export const IdParamSchema = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11' }),
});

/** What a route may refuse that reads one resource … */
export const READ_REFUSALS = { ...REFUSALS.auth, ...REFUSALS.notFound };
/** … a list with filters … */
export const LIST_REFUSALS = { ...REFUSALS.input, ...REFUSALS.auth };
/** … or makes or changes something. */
export const WRITE_REFUSALS = {
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.notFound,
  ...REFUSALS.alreadyThere,
};
