import { MAX_MISTAKES } from '@hlid/protocol/base/mistakes/input-mistakes';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi } from '../../../test/api.ts';
import { JSON_BOUNDS, LARGER_BYTES, USUAL_BYTES } from '../../platform/http/limit-bodies.ts';
import { openApiDocument } from './openapi-document.ts';

interface Schema {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  maxLength?: number | undefined;
  maxItems?: number | undefined;
  maxProperties?: number | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  additionalProperties?: Schema | boolean | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  allOf?: Schema[] | undefined;
}

const SchemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    maxLength: z.int().optional(),
    maxItems: z.int().optional(),
    maxProperties: z.int().optional(),
    items: SchemaSchema.optional(),
    properties: z.record(z.string(), SchemaSchema).optional(),
    additionalProperties: z.union([z.boolean(), SchemaSchema]).optional(),
    anyOf: z.array(SchemaSchema).optional(),
    oneOf: z.array(SchemaSchema).optional(),
    allOf: z.array(SchemaSchema).optional(),
  }),
);
const ContentSchema = z.record(z.string(), z.looseObject({ schema: SchemaSchema }));
const DocumentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ requestBody: z.looseObject({ content: ContentSchema }).optional() }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), SchemaSchema) }),
});

const api = await createTestApi();
afterAll(() => api.close());
const { paths, components } = DocumentSchema.parse(JSON.parse(JSON.stringify(openApiDocument(api.app))));

/** Formats with texts of one length. */
const FIXED_FORMATS = new Set(['date', 'uuid']);

/** Whether a pattern, anchored at both ends, fits texts of a bounded length only. */
function isBoundedPattern(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  return pattern.startsWith('^') && pattern.endsWith('$') && !/[*+]|\{\d+,\}/.test(bare);
}

/** The places in a schema of an array, a text or a record that may have any size. */
function unbounded(schema: Schema, place: string, within: readonly string[] = []): string[] {
  const found: string[] = [];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const named = components.schemas[name];
    if (named === undefined) return [`${place}: there is no schema ${name}`];
    return within.includes(name) ? [] : unbounded(named, place, [...within, name]);
  }
  const is = (type: string) => [schema.type].flat().includes(type);
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  if (is('string') && !isFixed && schema.maxLength === undefined) {
    const { format = '', pattern = '' } = schema;
    if (!FIXED_FORMATS.has(format) && !isBoundedPattern(pattern)) found.push(`${place}: a text`);
  }
  if (is('array') && schema.maxItems === undefined) found.push(`${place}: an array`);
  const more = schema.additionalProperties;
  const isOpen = more !== undefined ? more !== false : schema.properties === undefined && is('object');
  if (isOpen && schema.maxProperties === undefined) found.push(`${place}: a record`);
  const inside: [string, Schema][] = [
    ...(schema.items ? [[`${place}[]`, schema.items] as [string, Schema]] : []),
    ...Object.entries(schema.properties ?? {}).map(([key, one]): [string, Schema] => [
      `${place}.${key}`,
      one,
    ]),
    // A value of any kind is bounded by JSON_BOUNDS.
    ...(typeof more === 'object' ? [[`${place}{}`, more] as [string, Schema]] : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((forms) =>
      (forms ?? []).map((form): [string, Schema] => [place, form]),
    ),
  ];
  return [...found, ...inside.flatMap(([where, one]) => unbounded(one, where, within))];
}

const bodies = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody }]) => {
    const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const schema = requestBody?.content['application/json']?.schema;
    return schema === undefined || route in LARGER_BYTES ? [] : [{ route, schema }];
  }),
);

describe('the body of', () => {
  it.each(bodies)('$route has no array, text or record without a bound', ({ route, schema }) => {
    expect(unbounded(schema, route)).toEqual([]);
  });
});

it.each<[string, Schema, string[]]>([
  ['a text', { type: 'string' }, ['x: a text']],
  ['a moment with any decimals', { type: 'string', format: 'date-time' }, ['x: a text']],
  ['a pattern without end', { type: 'string', pattern: '^[a-z]+$' }, ['x: a text']],
  ['a pattern that is not anchored', { type: 'string', pattern: '[a-z]{3}' }, ['x: a text']],
  ['a bounded pattern', { type: 'string', pattern: '^\\+?[a-z+*]{3}$' }, []],
  [
    'an array of texts',
    { type: 'array', items: { type: ['string', 'null'] } },
    ['x: an array', 'x[]: a text'],
  ],
  ['a record', { type: 'object', additionalProperties: {} }, ['x: a record']],
  ['an object of anything', { type: 'object' }, ['x: a record']],
  ['a choice', { oneOf: [{ type: 'object', properties: { a: { type: 'array' } } }] }, ['x.a: an array']],
])('%s is seen', (_what, schema, found) => {
  expect(unbounded(schema, 'x')).toEqual(found);
});

describe('JSON that holds too much', () => {
  const RULE = { plate: 'AB1', reason: 'Staff' };
  it.each([
    ['weekdays', JSON.stringify({ ...RULE, rules: [{ weekdays: Array(100_000).fill(1) }] })],
    ['empty objects', `[${'{},'.repeat(30_000)}{}]`],
    ['brackets', '['.repeat(100_000)],
    ['escapes', JSON.stringify({ ...RULE, reason: '\n'.repeat(100_000) })],
  ])('of %s is refused before it is parsed', async (_what, body) => {
    const answer = await api.call('POST', '/visit/whitelist', { body });
    expect(body.length).toBeLessThan(USUAL_BYTES);
    expect([answer.status, answer.body['messages']]).toEqual([413, [expect.stringMatching(/^The JSON /)]]);
  });

  it('is refused where its length is not announced, too', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(`[${'1,'.repeat(JSON_BOUNDS.maxValues + 1)}1]`));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${api.operator}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    expect((await api.app.request(new Request('http://x/zones', init))).status).toBe(413);
  });

  it('is answered with some of its mistakes, and briefly', async () => {
    const rules = Array(40).fill({ weekdays: [9], from: 1, ['y'.repeat(500)]: 1 });
    const answer = await api.call('POST', '/visit/whitelist', { body: { ...RULE, rules } });
    expect(answer.status).toBe(400);
    const messages = z.array(z.string()).parse(answer.body['messages']);
    expect(messages).toHaveLength(MAX_MISTAKES + 1);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(200);
  });
});
