import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { marked } from 'marked';
import type { OpenApiDocument } from './openapi-document.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString> | '';
/** A schema of the document, or a reference to one. */
export type Schema = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>[string];
type SchemaObject = Exclude<Schema, { $ref: string }>;
type Schemas = Readonly<Record<string, Schema>>;

/** Fields deeper than this are behind the name of their schema. */
const MAX_DEPTH = 6;

/** Our own texts, in Markdown. */
export function prose(text: string | undefined): Html {
  return text === undefined ? '' : raw(marked.parse(text, { async: false }));
}

/** The same within a line. */
export function inlineProse(text: string): Html {
  return raw(marked.parseInline(text, { async: false }));
}

/** The type of a schema, in words: `string (date-time)`, `1–50 characters`, `ABX12 | null`. */
export function typeOf(schema: Schema): Html {
  if ('$ref' in schema) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return joined(any.map(typeOf));
  if (schema.enum) return joined(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  const types = [schema.type ?? []].flat();
  return html`${joined(types.map((type) => (type === 'array' && schema.items ? html`list of ${typeOf(schema.items)}` : type)))}${limits(schema)}`;
}

/** The fields of a schema as a nested list; nothing for one that has none. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): Html {
  const shape = shapeOf(schema, schemas, depth === 0);
  if (shape === null || depth > MAX_DEPTH) return '';
  const required = new Set(shape.required ?? []);
  const more = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : null;
  return html`<ul class="fields">${Object.entries(shape.properties ?? {}).map(([name, field]) =>
    fieldItem({ name, field, note: required.has(name) ? 'required' : '' }, schemas, depth),
  )}${more ? fieldItem({ name: '…', field: more, note: 'any name' }, schemas, depth) : ''}</ul>`;
}

function fieldItem(
  { name, field, note }: { name: string; field: Schema; note: string },
  schemas: Schemas,
  depth: number,
): Html {
  const { description } = field;
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(field)}</span>${note === '' ? '' : html` <span class="note">${note}</span>`}${prose(description)}${fieldsOf(field, schemas, depth + 1)}</li>`;
}

/**
 * The object with the fields to show. For a list it is the item. A named schema is followed only at the top;
 * elsewhere its name leads there.
 */
function shapeOf(schema: Schema, schemas: Schemas, followNames: boolean): SchemaObject | null {
  if ('$ref' in schema) {
    const named = followNames ? schemas[nameOf(schema.$ref)] : undefined;
    return named === undefined ? null : shapeOf(named, schemas, false);
  }
  if (schema.items && !Array.isArray(schema.items)) return shapeOf(schema.items, schemas, followNames);
  return schema.properties || typeof schema.additionalProperties === 'object' ? schema : null;
}

/** A value that the schema accepts: its example, or one made of what it must have. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  if ('$ref' in schema) {
    const named = schemas[nameOf(schema.$ref)];
    return named === undefined || depth > MAX_DEPTH ? null : exampleOf(named, schemas, depth + 1);
  }
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const any = schema.anyOf ?? schema.oneOf;
  if (any?.[0]) return exampleOf(any[0], schemas, depth + 1);
  switch ([schema.type ?? 'object'].flat()[0]) {
    case 'string':
      return '…';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, depth + 1)] : [];
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]),
      );
  }
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function limits(schema: SchemaObject): Html {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, pattern } = schema;
  const notes = [
    format ?? null,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'entries'),
    range(minimum, withoutSafeLimit(maximum), ''),
    pattern === undefined ? null : `matches ${pattern}`,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((words) => words !== null);
  return notes.length === 0 ? '' : html`, ${notes.join(', ')}`;
}

/** The largest whole number that JSON carries is no limit worth a word. */
function withoutSafeLimit(maximum: number | undefined): number | undefined {
  return maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
}

function range(min: number | undefined, max: number | undefined, unit: string): string | null {
  const words =
    max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `${min}–${max}`;
  if (max === undefined && (min === undefined || min < -1e9)) return null;
  return unit === '' ? words : `${words} ${unit}`;
}

function joined(parts: readonly (Html | string)[]): Html {
  return html`${parts.map((part, index) => html`${index === 0 ? '' : ' | '}${part}`)}`;
}
