import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';
import { routeOf } from './router.ts';

/** Names of fields that are only read, with those of the objects in which some are. */
export interface ReadOnlyFields {
  names: ReadonlySet<string>;
  within: ReadonlyMap<string, ReadOnlyFields>;
}

/**
 * Lets an update take the document that its read has given: fields that are only read are passed over. Any other unknown
 * field is refused as before.
 *
 * @param fieldsOf of a route, as the access table names it
 */
export function ignoreReadOnly(
  fieldsOf: (route: string) => ReadOnlyFields | undefined,
): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const isJson = c.req.header('content-type')?.includes('json') ?? false;
    if (c.req.method !== 'PUT' || !isJson) return await next();
    const fields = fieldsOf(routeOf(c)?.name ?? '');
    if (fields === undefined) return await next();
    const text = await c.req.text();
    const stripped = stripText(text, fields);
    // The validator reads it from here.
    if (stripped !== null) Object.assign(c.req.bodyCache, { text: Promise.resolve(stripped) });
    return await next();
  };
}

/** Null: there is nothing to pass over. */
function stripText(text: string, fields: ReadOnlyFields): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? JSON.stringify(strip(body, fields)) : null;
  } catch {
    // The validator refuses it.
    return null;
  }
}

function strip(body: Readonly<Record<string, unknown>>, { names, within }: ReadOnlyFields): object {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => {
        const fields = within.get(name);
        return [name, fields !== undefined && isObject(value) ? strip(value, fields) : value];
      }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
