/** The part of JSON Schema that the descriptions of bodies use. */
export interface BodySchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maximum?: number;
  maxProperties?: number;
  items?: BodySchema;
  properties?: Record<string, BodySchema>;
  additionalProperties?: BodySchema | boolean;
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  allOf?: BodySchema[];
  example?: unknown;
}

type Lookup = (ref: string) => BodySchema;

const BODY_BYTES = 256 * 1024;
const MAX_VALUES = 9000;
const MAX_DEPTH = 12;

/**
 * The worst bodies for a schema: as much as it takes, the same with every value of a wrong kind, and shapes that no
 * schema takes.
 */
export function worstBodies(schema: BodySchema, lookup: Lookup): { what: string; body: Buffer }[] {
  const example = exampleOf(schema, lookup);
  return [
    { what: 'all that it takes', body: json(fullest(schema, lookup)) },
    { what: 'wrong values', body: json(wrong(fullest(schema, lookup))) },
    { what: 'a long text', body: json(withField(example, 'x'.repeat(BODY_BYTES - 5000))) },
    { what: 'a list', body: json(withField(example, Array(MAX_VALUES).fill(1))) },
    { what: 'objects', body: json(Array(MAX_VALUES / 2).fill({})) },
    {
      what: 'other fields',
      body: json(Object.fromEntries(Array.from({ length: MAX_VALUES }, (_, n) => [`f${n}`, n]))),
    },
    { what: 'brackets', body: Buffer.alloc(BODY_BYTES, '[') },
    { what: 'commas', body: Buffer.alloc(BODY_BYTES, '1,') },
    { what: 'escapes', body: Buffer.alloc(BODY_BYTES, '"\\n') },
    { what: 'spaces', body: Buffer.alloc(BODY_BYTES, ' ') },
  ];
}

const MIB = 1024 * 1024;

/** The worst files of a whitelist. */
export function worstFiles(): { what: string; body: Buffer }[] {
  const filled = (line: string) =>
    Buffer.concat([Buffer.from('plate,reason,weekdays,hours\n'), Buffer.alloc(19 * MIB, line)]);
  return [
    { what: 'commas', body: filled(',') },
    { what: 'lines of commas', body: filled(`${','.repeat(7000)}\n`) },
    { what: 'quotes', body: filled('","') },
    { what: 'short lines', body: filled('x\n') },
    { what: 'rules', body: filled(`AB1,x,${'1-7|'.repeat(900)},${'08:00-09:00|'.repeat(300)}\n`) },
    {
      what: 'new entries',
      body: Buffer.from(
        `plate,reason\n${Array.from({ length: 3000 }, (_, n) => `Z${n}Z,${'r'.repeat(400)}`).join('\n')}\n`,
      ),
    },
  ];
}

/** The worst documents of a camera. */
export function worstDocuments(): { what: string; body: Buffer }[] {
  return [
    ...['[', '[],', '"",', '\\"', ' ', '<a>', '<b c="d">e</b>', '&amp;', 'a=b&'].map((unit) => ({
      what: unit,
      body: Buffer.alloc(6 * MIB, unit),
    })),
    {
      what: 'a picture',
      body: Buffer.from(`{"plate":"AB123","full_image":"/9j/${'Ab3+'.repeat(1_400_000)}"}`),
    },
  ];
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

function exampleOf(schema: BodySchema, lookup: Lookup): object {
  const own = schema.example ?? (schema.$ref === undefined ? undefined : lookup(schema.$ref).example);
  return typeof own === 'object' && own !== null ? own : {};
}

function withField(example: object, value: unknown): object {
  const [first = 'name'] = Object.keys(example);
  return { ...example, [first]: value };
}

/** The largest value that a schema takes, as far as a body may go. */
function fullest(schema: BodySchema, lookup: Lookup): unknown {
  let values = MAX_VALUES;
  let bytes = BODY_BYTES - 30_000;

  function build(given: BodySchema, depth: number): unknown {
    const part = given.$ref === undefined ? given : lookup(given.$ref);
    values--;
    const forms = part.oneOf ?? part.anyOf ?? part.allOf;
    if (forms !== undefined) {
      const sized = forms.filter(({ type }) => type !== 'null');
      return build(sized.at(-1) ?? {}, depth);
    }
    if (part.const !== undefined) return part.const;
    if (part.enum !== undefined) return part.enum.at(-1);
    const type = [part.type].flat().find((one) => one !== 'null');
    if (type === 'array') return list(part, depth);
    if (type === 'object') return object(part, depth);
    if (type === 'string') return text(part);
    if (type === 'boolean') return true;
    bytes -= 8;
    return Math.min(part.maximum ?? 1000, 1_000_000);
  }

  function list(part: BodySchema, depth: number): unknown[] {
    const items: unknown[] = [];
    const max = part.maxItems ?? MAX_VALUES;
    while (items.length < max && values > 0 && bytes > 0 && depth < MAX_DEPTH)
      items.push(build(part.items ?? {}, depth + 1));
    return items;
  }

  function object(part: BodySchema, depth: number): object {
    const made: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(part.properties ?? {})) {
      bytes -= name.length + 4;
      if (values > 0 && bytes > 0) made[name] = build(one, depth + 1);
    }
    if (typeof part.additionalProperties === 'object') {
      for (let n = 0; n < (part.maxProperties ?? 1000) && values > 0; n++) {
        made[String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))] = build(
          part.additionalProperties,
          depth + 1,
        );
      }
    }
    return made;
  }

  function text(part: BodySchema): string {
    const known = part.example ?? TEXTS[part.format ?? ''] ?? patterned(part.pattern);
    const made = typeof known === 'string' ? known : 'x'.repeat(Math.min(part.maxLength ?? 100, 500));
    bytes -= made.length + 3;
    return made;
  }

  return build(schema, 0);
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T08:30:00.000Z',
  date: '2026-11-21',
  email: 'anna@example.is',
  uri: 'https://books.example/hlid',
};

function patterned(pattern: string | undefined): string | undefined {
  return pattern === undefined
    ? undefined
    : ['08:30', '2026-12-24', 'ISK', 'IS', '+354 555 1234', '1234'].find((one) =>
        new RegExp(pattern).test(one),
      );
}

function wrong(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrong);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, wrong(one)]));
  }
  return typeof value === 'string' ? 1 : 'x';
}
