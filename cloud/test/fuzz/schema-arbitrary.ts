import fc, { type Arbitrary } from 'fast-check';

/** A JSON Schema as far as our OpenAPI document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
  format?: string;
  example?: unknown;
}

type Lookup = (ref: string) => Schema;

/** Values that a schema allows, and now and then its example. */
export function fromSchema(schema: Schema, lookup: Lookup, depth = 0): Arbitrary<unknown> {
  const made = madeFrom(schema, lookup, depth);
  return schema.example === undefined
    ? made
    : fc.oneof({ weight: 2, arbitrary: fc.constant(schema.example) }, made);
}

function madeFrom(schema: Schema, lookup: Lookup, depth: number): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fromSchema(lookup(schema.$ref), lookup, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return fc.oneof(...alternatives.map((one) => fromSchema(one, lookup, depth)));
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((one) => fromSchema(one, lookup, depth));
    return fc.tuple(...parts).map((values) => Object.assign({}, ...values));
  }
  const types = schema.type === undefined ? [undefined] : [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, lookup, depth)));
}

function ofType(type: string | undefined, schema: Schema, lookup: Lookup, depth: number): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'string':
      return strings(schema);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = schema;
      return fc.array(fromSchema(items, lookup, depth + 1), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      });
    }
    case 'object':
      return objects(schema, lookup, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function numbers(schema: Schema): Arbitrary<number> {
  const { minimum = -1e6, maximum = 1e6 } = schema;
  const doubles = fc.double({ min: minimum, max: maximum, noNaN: true });
  const hasIntegers = Number.isInteger(minimum) && Number.isInteger(maximum);
  return hasIntegers ? fc.oneof(integers(schema), doubles) : doubles;
}

function integers({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Arbitrary<number> {
  const least = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
  const most = maximum ?? (exclusiveMaximum === undefined ? Math.max(least, 100_000) : exclusiveMaximum - 1);
  return fc.oneof(
    fc.integer({ min: least, max: Math.min(most, least + 50) }),
    fc.integer({ min: least, max: most }),
  );
}

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': fc
    .date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.is$/),
  uri: fc.constantFrom('https://books.example/hook', 'https://127.0.0.1/'),
};

/** Hundreds of fields have the same texts, and to make what makes them takes longer than many calls. */
const texts = new Map<string, Arbitrary<string>>();

function strings(schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema;
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  const known = texts.get(key) ?? newStrings(schema);
  texts.set(key, known);
  return known;
}

function newStrings({ format, pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known;
  if (pattern !== undefined) return matching(pattern);
  const most = Math.max(minLength, Math.min(maxLength, minLength + 20));
  const any = fc.string({ minLength, maxLength: most, unit: 'grapheme' });
  const fits = minLength <= PLATE_LENGTH && maxLength >= PLATE_LENGTH;
  return fits ? fc.oneof(any, fc.stringMatching(/^[A-Z]{2}[A-Z0-9]\d{2}$/)) : any;
}

const PLATE_LENGTH = 5;

function matching(pattern: string): Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // Some patterns (look-ahead) cannot be made from; then any text will do, right or wrong.
    return fc.string();
  }
}

function objects(schema: Schema, lookup: Lookup, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties)
      // A schema that refers to itself ends somewhere.
      .filter(([name]) => depth < 6 || required.includes(name))
      .map(([name, one]) => [name, fromSchema(one, lookup, depth + 1)]),
  );
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (typeof additionalProperties !== 'object') return known;
  const names = schema.propertyNames
    ? fromSchema(schema.propertyNames, lookup).map(String)
    : fc.stringMatching(/^[a-z]{2}$/);
  const more = fc.dictionary(names, fromSchema(additionalProperties, lookup, depth + 1), { maxKeys: 3 });
  return fc.tuple(known, more).map(([some, others]) => ({ ...others, ...some }));
}

/**
 * A value with something wrong in it: a field too many, one less, one of another kind, or something else altogether.
 */
export function broken(value: Arbitrary<unknown>): Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom(
      null,
      '',
      'x'.repeat(5000),
      -1,
      1e308,
      0.5,
      true,
      [],
      {},
      '\u0000',
      '\u202e',
      "'; DROP TABLE visit; --",
    ),
    fc.constantFrom(
      '=cmd()',
      '../../etc/passwd',
      '<img src=x onerror=alert(1)>',
      '9999-99-99',
      '2026-02-30T00:00:00Z',
    ),
    fc.jsonValue({ maxDepth: 3 }),
  );
  return fc.oneof(
    odd,
    fc
      .tuple(value, fc.string(), odd)
      .map(([good, name, bad]) => (isObject(good) ? { ...good, [name]: bad } : bad)),
    fc.tuple(value, fc.nat(), odd).map(([good, n, bad]) => (isObject(good) ? withField(good, n, bad) : bad)),
    fc.tuple(value, fc.nat()).map(([good, n]) => (isObject(good) ? withoutField(good, n) : [good])),
    fc.constant(JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withField(value: Record<string, unknown>, n: number, bad: unknown): unknown {
  const names = Object.keys(value);
  const name = names[n % Math.max(1, names.length)];
  return name === undefined ? bad : { ...value, [name]: bad };
}

function withoutField(value: Record<string, unknown>, n: number): unknown {
  const names = Object.keys(value);
  const left = names[n % Math.max(1, names.length)];
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== left));
}
