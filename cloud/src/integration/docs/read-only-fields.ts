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
 * Finds the fields of each update, by its route as the access table names it, that a read returns and the
 * update itself does not accept.
 *
 * @param describe returns the whole document: the call comes with the first update, when all routes exist
 */
export function readOnlyFields(
  describe: () => OpenApiDocument,
): (route: string) => ReadOnlyFields | undefined {
  let found: ReadonlyMap<string, ReadOnlyFields> | undefined;
  return (route) => {
    found ??= fieldsOfDocument(describe());
    return found.get(route);
  };
}

function fieldsOfDocument(document: OpenApiDocument): ReadonlyMap<string, ReadOnlyFields> {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const found = new Map<string, ReadOnlyFields>();
  for (const [path, { get, put }] of Object.entries(document.paths ?? {})) {
    const read = schemaOf(get?.responses?.['200'] as Content | undefined);
    const taken = schemaOf(put?.requestBody as Content | undefined);
    if (read === null || taken === null) continue;
    const fields = compare(propertiesOf(read, schemas), propertiesOf(taken, schemas), schemas);
    if (fields.names.size + fields.within.size > 0) {
      found.set(`PUT ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, fields);
    }
  }
  return found;
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
