import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi } from '../../../test/api.ts';
import { ROUTE_ACCESS } from '../../people/auth/route-access.ts';
import { openApiDocument } from './openapi-document.ts';

const SchemaSchema = z.looseObject({ $ref: z.string().optional(), example: z.unknown().optional() });
const ContentSchema = z.record(
  z.string(),
  z.looseObject({ schema: SchemaSchema, example: z.unknown().optional() }),
);
const OperationSchema = z.looseObject({
  summary: z.string().min(5),
  tags: z.array(z.string()).min(1),
  deprecated: z.boolean().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        schema: SchemaSchema,
      }),
    )
    .optional(),
  requestBody: z.looseObject({ content: ContentSchema }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ description: z.string().min(2), content: ContentSchema.optional() }),
  ),
});
const DocumentSchema = z.looseObject({
  info: z.looseObject({ description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), OperationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), SchemaSchema),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string(), in: z.string().optional() })),
  }),
});

const api = await createTestApi();
const { paths, components } = DocumentSchema.parse(JSON.parse(JSON.stringify(openApiDocument(api.app))));
await api.close();

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components });

type Schema = z.infer<typeof SchemaSchema>;

/** The mistakes of an example. */
function mistakesIn(example: unknown, schema: Schema): string {
  const located = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
  const validate = ajv.compile(JSON.parse(located));
  return validate(example) ? '' : ajv.errorsText(validate.errors);
}

function exampleOf(schema: Schema): unknown {
  const named = schema.$ref?.split('/').at(-1);
  return schema.example ?? (named === undefined ? undefined : components.schemas[named]?.example);
}

describe('every operation', () => {
  it.each(operations)('$name has an example of what it takes, which it would take', ({ operation }) => {
    for (const { schema, example = exampleOf(schema) } of Object.values(
      operation.requestBody?.content ?? {},
    )) {
      expect(example).toBeDefined();
      expect(mistakesIn(example, schema)).toBe('');
    }
    for (const { name, schema } of operation.parameters ?? []) {
      const example = exampleOf(schema);
      if (example !== undefined) expect(mistakesIn(example, schema), name).toBe('');
    }
  });

  it('says what of it has a body in JSON, and what may be wrong with one', () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      if (operation.requestBody === undefined) continue;
      for (const status of ['400', '413', '415']) expect(statuses, name).toContain(status);
    }
  });

  it('has its parameters once, those in the path as required', () => {
    for (const { name, operation } of operations) {
      const parameters = operation.parameters ?? [];
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size, name).toBe(names.length);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
      const required = parameters.filter((one) => one.in === 'path' && one.required).map((one) => one.name);
      expect(required.sort(), name).toEqual(inPath.sort());
    }
  });
});

it.each(Object.entries(components.schemas).filter(([, { example }]) => example !== undefined))(
  'the example of %s is one',
  (_name, schema) => {
    expect(mistakesIn(schema.example, schema)).toBe('');
  },
);

it('tokens that stand in the query are described as such', () => {
  const { photoToken, locationToken } = components.securitySchemes;
  expect([photoToken, locationToken]).toEqual([
    expect.objectContaining({ type: 'apiKey', in: 'query', name: 'token' }),
    expect.objectContaining({ type: 'apiKey', in: 'query', name: 'access_token' }),
  ]);
  for (const { name, operation } of operations) {
    const allowed = ROUTE_ACCESS[name.replaceAll(/\{(\w+)\}/g, ':$1')]?.who ?? [];
    const schemes = operation.security.flatMap((one) => Object.keys(one));
    expect(schemes.includes('photoToken'), name).toBe(allowed.includes('photo-token'));
    expect(schemes.includes('locationToken'), name).toBe(allowed.includes('location-token'));
    for (const scheme of schemes) expect(components.securitySchemes).toHaveProperty(scheme);
  }
});

it('the older names of the whitelist are deprecated, and nothing else', () => {
  const deprecated = operations.filter(({ operation }) => operation.deprecated).map(({ name }) => name);
  expect(deprecated).toEqual(operations.map(({ name }) => name).filter((name) => / \/whitelist/.test(name)));
});

describe('a generated client', () => {
  it('has one name for each call', () => {
    const names = operations.map(({ operation }) => String(operation['operationId']));
    expect(new Set(names).size).toBe(operations.length);
    for (const name of names) expect(name).toMatch(/^(get|post|put|delete)[A-Z][A-Za-z0-9]*$/);
    expect(names).toContain('putVisitById');
  });

  it('has the type of what each call answers that redirects, and the header that asks for it', () => {
    const redirecting = operations.filter(({ operation }) => '303' in operation.responses);
    expect(redirecting.length).toBeGreaterThan(30);
    for (const { name, operation } of redirecting) {
      const good = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      // 202: it waits for a second person.
      expect(
        good.filter((status) => status !== '202'),
        name,
      ).toEqual(['200']);
      expect(operation.responses['200']?.content?.['application/json']?.schema, name).toBeDefined();
      expect(
        operation.parameters?.map((one) => `${one.in} ${one.name}`),
        name,
      ).toContain('header Prefer');
    }
  });

  it('loses no secret by a redirect: what is shown only once comes without one', () => {
    for (const { name, operation } of operations) {
      const shown = JSON.stringify(operation.responses['303']?.content ?? {});
      const named = [...shown.matchAll(/schemas\/(\w+)/g)].map(([, schema]) => schema ?? '');
      const bodies = [shown, ...named.map((schema) => JSON.stringify(components.schemas[schema]))];
      for (const body of bodies) expect(body, name).not.toMatch(/"(secret|token|password|access_token)":/);
    }
  });

  it('knows which reads have the version that their update goes by', () => {
    for (const [path, { get, put }] of Object.entries(paths)) {
      if (put === undefined) continue;
      const takesVersion = put.parameters?.some(({ name }) => name === 'If-Match') ?? false;
      expect('412' in put.responses, path).toBe(takesVersion);
      const headers = (get?.responses['200'] as { headers?: object } | undefined)?.headers ?? {};
      if (get !== undefined) expect('ETag' in headers, path).toBe(takesVersion);
    }
  });
});
