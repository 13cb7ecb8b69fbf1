import type { z } from 'zod';

/**
 * How create and update answer: 303 with `Location` to the resource, and the resource as it is now in the body.
 * A handler ends in `c.json(resource, 303, { Location: path })`.
 */
export function seeOther<Schema extends z.ZodType>(schema: Schema, description: string) {
  return {
    303: {
      description,
      headers: { Location: { description: 'Where it is', schema: { type: 'string' as const } } },
      content: { 'application/json': { schema } },
    },
  };
}
