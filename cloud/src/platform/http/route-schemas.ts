import { z } from '@hono/zod-openapi';
import { REFUSALS } from './errors.ts';
import { listOf } from './list-envelope.ts';

/** Content in JSON of that schema, as OpenAPI describes it. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { 'application/json': { schema } };
}

/** A body that must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: json(schema) };
}

/** The parameter of a path that ends in `{id}`. */
export const IdParamSchema = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11' }),
});

/** The refusals of a route that reads one resource. */
export const READ_REFUSALS = { ...REFUSALS.auth, ...REFUSALS.notFound };
/** The refusals of a route that lists resources by filters. */
export const LIST_REFUSALS = { ...REFUSALS.input, ...REFUSALS.auth };
/** The refusals of a route that creates or changes a resource. */
export const WRITE_REFUSALS = {
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.notFound,
  ...REFUSALS.alreadyThere,
};

/** The responses of routes of the usual kinds. */
export const responses = {
  list: <Row extends z.ZodType>(row: Row, description: string) => ({
    200: { description, content: json(listOf(row)) },
    ...LIST_REFUSALS,
  }),
  read: <Schema extends z.ZodType>(schema: Schema, description: string) => ({
    200: { description, content: json(schema) },
    ...READ_REFUSALS,
  }),
  /** Create and update. A handler ends in `c.json(resource, 303, { Location: path })`. */
  write: <Schema extends z.ZodType>(schema: Schema, description: string) => ({
    ...seeOther(schema, description),
    ...WRITE_REFUSALS,
  }),
  /** An update that `If-Match` may tie to a version. A handler ends in `refuseEdit`, or as with `write`. */
  edit: <Schema extends z.ZodType>(schema: Schema, description: string) => ({
    ...responses.write(schema, description),
    ...REFUSALS.stale,
  }),
  delete: (description: string) => ({ 204: { description }, ...READ_REFUSALS }),
};

/** 303 with `Location` to the resource, and the resource as it is now in the body. */
export function seeOther<Schema extends z.ZodType>(schema: Schema, description: string) {
  const headers = { Location: { description: 'Its address', schema: { type: 'string' as const } } };
  return { 303: { description, headers, content: json(schema) } };
}
