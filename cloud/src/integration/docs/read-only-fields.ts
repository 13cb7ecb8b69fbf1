import { VERSION } from '@hlid/protocol/base/version';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import type { ReadOnlyFields } from '../../platform/http/ignore-read-only.ts';
import type { OpenApiDocument } from './openapi-document.ts';

interface Schema {
  $ref?: string;
  properties?: Readonly<Record<string, Schema>>;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

type Content = { content?: Readonly<Record<string, { schema?: unknown }>> };

/**
 * Finds the fields of an update, by its route as the access table names it, that a read of the same path returns and the
 * update itself does not accept. Only the two calls are described, when the first such update comes: the description of
 * all routes would hold up the program for as long as some hundred calls.
 */
export function readOnlyFields(app: OpenAPIHono<CloudEnv>): (route: string) => ReadOnlyFields | undefined {
  const found = new Map<string, ReadOnlyFields | null>();
  return (route) => {
    let fields = found.get(route);
    if (fields === undefined) {
      fields = fieldsOfUpdate(app, route);
      found.set(route, fields);
    }
    return fields ?? undefined;
  };
}

/** Null: no field is only read. */
function fieldsOfUpdate(app: OpenAPIHono<CloudEnv>, route: string): ReadOnlyFields | null {
  const [method, path] = route.split(' ');
  if (method !== 'PUT' || path === undefined) return null;
  const described = path.replaceAll(/:(\w+)/g, '{$1}');
  const { paths, components } = describePath(app, described);
  const { get, put } = paths?.[described] ?? {};
  const read = schemaOf(get?.responses?.['200'] as Content | undefined);
  const taken = schemaOf(put?.requestBody as Content | undefined);
  if (read === null || taken === null) return null;
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const fields = compare(propertiesOf(read, schemas), propertiesOf(taken, schemas), schemas);
  return fields.names.size + fields.within.size > 0 ? fields : null;
}

function describePath(app: OpenAPIHono<CloudEnv>, path: string): OpenApiDocument {
  const part = new OpenAPIHono<CloudEnv>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type === 'route' && definition.route.path === path)
      part.openAPIRegistry.registerPath(definition.route);
  }
  return part.getOpenAPI31Document({ openapi: '3.1.0', info: { title: path, version: VERSION } });
}

function schemaOf(described: Content | undefined): Schema | null {
  return (described?.content?.['application/json']?.schema as Schema | undefined) ?? null;
}

function compare(
  read: ReadonlyMap<string, Schema>,
  taken: ReadonlyMap<string, Schema>,
  schemas: Readonly<Record<string, Schema>>,
): ReadOnlyFields {
  const names = new Set([...read.keys()].filter((name) => !taken.has(name)));
  const within = new Map<string, ReadOnlyFields>();
  for (const [name, schema] of read) {
    const inInput = taken.get(name);
    if (inInput === undefined) continue;
    const [inner, innerInput] = [propertiesOf(schema, schemas), propertiesOf(inInput, schemas)];
    if (inner.size === 0 || innerInput.size === 0) continue;
    const fields = compare(inner, innerInput, schemas);
    if (fields.names.size + fields.within.size > 0) within.set(name, fields);
  }
  return { names, within };
}

/** The fields that an object of this schema may have, in whichever of its forms. */
function propertiesOf(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): ReadonlyMap<string, Schema> {
  const named = schema.$ref?.split('/').at(-1);
  const whole = (named === undefined ? undefined : schemas[named]) ?? schema;
  const forms = [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.allOf ?? [])];
  return new Map([
    ...Object.entries(whole.properties ?? {}),
    ...forms.flatMap((form) => [...propertiesOf(form, schemas)]),
  ]);
}
