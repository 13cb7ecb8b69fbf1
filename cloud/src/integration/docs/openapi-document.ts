import { VERSION } from '@hlid/protocol/base/version';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ROUTE_ACCESS, type RouteAccess, type Who } from '../../people/auth/route-access.ts';
import { ACCOUNT_ROLES } from '../../platform/http/caller.ts';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { REFUSALS } from '../../platform/http/errors.ts';
import { takesIdempotencyKey } from '../../platform/http/idempotency.ts';
import { DEADLINE_HEADER } from '../../platform/http/refuse-late-calls.ts';

export type OpenApiDocument = ReturnType<OpenAPIHono<CloudEnv>['getOpenAPI31Document']>;
export type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>;

type SecurityScheme = NonNullable<NonNullable<OpenApiDocument['components']>['securitySchemes']>[string];

export const METHODS = ['get', 'post', 'put', 'delete'] as const;

/**
 * The OpenAPI 3.1 document of every route that has a description. Who may call one is taken from the access
 * table, so that the document cannot differ from it.
 */
export function openApiDocument(app: OpenAPIHono<CloudEnv>): OpenApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hlið',
      version: VERSION,
      description: ABOUT,
    },
    servers: [{ url: '/' }],
  });
  document.components = {
    ...document.components,
    securitySchemes: SECURITY_SCHEMES,
  };
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      describeAccess(operation, `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
      describeRepresentation(operation);
      operation.operationId = operationIdOf(method, path);
    }
    describeVersion(item);
  }
  return nullableReferences(document) as OpenApiDocument;
}

function describeAccess(operation: Operation, route: string): void {
  const access = ROUTE_ACCESS[route];
  const allowed = access?.who ?? [];
  operation.security = securityOf(allowed);
  const callers = allowed.includes('anyone') ? 'anyone' : allowed.join(', ');
  const about = [`May be called by: ${callers}.`, ...(access === undefined ? [] : neededWords(access))];
  operation.description = [operation.description, about.join(' ')].filter(Boolean).join('\n\n');
  const ofBodies = operation.requestBody === undefined ? {} : refusal(REFUSALS.body);
  operation.responses = { ...operation.responses, ...ofBodies, ...refusal(REFUSALS.failure) };
  if ('412' in operation.responses) operation.parameters = [...(operation.parameters ?? []), IF_MATCH];
  if (allowed.includes('anyone') || !takesIdempotencyKey(route)) return;
  operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY, DEADLINE];
  operation.responses = { ...operation.responses, ...refusal(REFUSALS.conflict) };
}

/** The name of a call in generated clients: `putVisitById`. It changes only with the call. */
function operationIdOf(method: string, path: string): string {
  const words = path.split(/[/._-]/).filter((word) => word !== '');
  return [method, ...words.map((word) => capitalized(word.replace(/^\{(\w+)\}$/, 'by-$1')))].join('');
}

function capitalized(word: string): string {
  return word
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/**
 * Describes the answer with a body in place of each redirect, on request: generated clients know types of 2xx
 * only.
 */
function describeRepresentation(operation: Operation): void {
  const { '303': redirect, '200': other } = operation.responses as Record<string, Described | undefined>;
  if (redirect?.content === undefined) return;
  const shown = redirect.content['application/json']?.schema;
  const others = other?.content?.['application/json']?.schema;
  const schema = others === undefined ? shown : { anyOf: [shown, others] };
  const description = [other?.description, `With \`Prefer: return=representation\`: ${redirect.description}`];
  operation.responses = {
    ...operation.responses,
    200: {
      description: description.filter((text) => text !== undefined).join('. '),
      headers: CONTENT_LOCATION,
      content: { 'application/json': { schema } },
    },
  } as NonNullable<Operation['responses']>;
  operation.parameters = [...(operation.parameters ?? []), PREFER];
}

interface Described {
  description: string;
  content?: Readonly<Record<string, { schema?: unknown } | undefined>>;
}

/** Describes the version of resources that can be changed by version. */
function describeVersion({ get, put }: { get?: Operation; put?: Operation }): void {
  if (get === undefined || put?.responses?.['412'] === undefined) return;
  const read = (get.responses as Record<string, object | undefined>)['200'];
  get.responses = { ...get.responses, 200: { ...read, headers: E_TAG } } as NonNullable<
    Operation['responses']
  >;
}

/** The needs of a route, of operators and of sessions. */
function neededWords({ operators, stepUp }: RouteAccess): string[] {
  const { needed, sites } = operators ?? { needed: 'any', sites: 'none' };
  return [
    ...(needed === 'any'
      ? []
      : [`Operators need the permission ${needed === 'own' ? OWN_OR_PEOPLE : needed}.`]),
    ...(sites === 'all' ? ['It is for operators of every site.'] : []),
    ...(stepUp === 'operators' ? ['An operator’s session has to be stepped up.'] : []),
    ...(stepUp === 'in-part'
      ? ['For a part of it, as described, an operator’s session has to be stepped up.']
      : []),
    ...(stepUp === 'sessions' ? ['It is for sessions, stepped up.'] : []),
  ];
}

const OWN_OR_PEOPLE = 'people, but for the own account';

const IDEMPOTENCY_KEY = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
  description: 'The same call with the same key within a day is executed once and gets the same answer.',
};

const PREFER = {
  in: 'header' as const,
  name: 'Prefer',
  required: false,
  schema: { type: 'string' as const, enum: ['return=representation'] },
  description: '`return=representation`: 200 with the resource in place of 303.',
};

const CONTENT_LOCATION = {
  'Content-Location': { description: 'Its address', schema: { type: 'string' as const } },
};

const E_TAG = {
  ETag: { description: 'Its version, for `If-Match` of an update', schema: { type: 'string' as const } },
};

const DEADLINE = {
  in: 'header' as const,
  name: DEADLINE_HEADER,
  required: false,
  schema: { type: 'string' as const, format: 'date-time' },
  description:
    'Until when the call may begin, by the clock of the cloud (`Date` of its answers); after that, 409.',
};

const IF_MATCH = {
  in: 'header' as const,
  name: 'If-Match',
  required: false,
  schema: { type: 'string' as const },
  description: 'The `ETag` of the version that the change is for; 412 if it is no longer the newest.',
};

type Scheme = 'session' | 'bearer' | 'apiKey' | 'site' | 'photoToken' | 'locationToken';

const SECURITY_SCHEMES: Readonly<Record<Scheme, SecurityScheme>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hlid',
    description: 'The session of a browser; see `POST /session`.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a login or of a machine.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'For calls before login.' },
  site: {
    type: 'http',
    scheme: 'bearer',
    description: 'The credentials of a site: `<site id>.<secret>`.',
  },
  photoToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token of one camera, for its own documents only; see `POST /admin/create-photo-token`.',
  },
  locationToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description:
      'A token in the `Location` of something that its holder created: valid for minutes, for that ' +
      'address only.',
  },
};

function schemeOf(who: Exclude<Who, 'anyone'>): Scheme {
  switch (who) {
    case 'api-key':
      return 'apiKey';
    case 'site':
      return 'site';
    case 'photo-token':
      return 'photoToken';
    case 'location-token':
      return 'locationToken';
    case 'unproven-session':
    case 'enrolling-session':
      return 'session';
    default:
      return 'bearer';
  }
}

const PEOPLE: readonly Who[] = [...ACCOUNT_ROLES, 'staff-manager'];

function securityOf(allowed: readonly Who[]): Record<string, string[]>[] {
  const schemes = new Set<Scheme>();
  for (const who of allowed) {
    if (who === 'anyone') return [];
    schemes.add(schemeOf(who));
    if (PEOPLE.includes(who)) schemes.add('session');
  }
  return [...schemes].map((scheme) => ({ [scheme]: [] }));
}

function refusal(refusals: Readonly<Record<number, { description: string }>>) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(refusals).map(([status, { description }]) => [status, { description, content }]),
  );
}

const ABOUT = `Parking with plate recognition: what happens at the gates of car parks, who may park, and what it costs.

**First steps.** Send \`POST /auth/login\` with the API key in \`x-api-key\`. Its \`access_token\` is the bearer token of other
calls. API key and login of \`npm start\` are in \`data/demo.json\`. The samples use the variables \`CLOUD\` (the address) and
\`TOKEN\`.

**Browsers** have a session in a cookie instead (\`POST /session\`). With it, calls that change something have to come from a
page of this cloud. What moves money back, gives rights or erases needs a proof of the last five minutes
(\`POST /session/step-up\`): 403 \`Step-up needed\` asks for it.

**Operators** have permissions (\`lanes\`, \`visits\`, \`money\`, \`tariffs\`, \`devices\`, \`people\`) and sites; each call names what
it needs. What is of another site is not there: 404.

**Values.** Times are UTC (\`2026-11-21T08:30:00.000Z\`). Amounts are integers in the currency's minor unit, by ISO
4217: 500 ISK is 500 kr., 500 EUR is 5 euros. Plates may have any spelling; answers have them in capitals.

**Lists** are sorted newest first and have one envelope: \`data\`, and \`next\` and \`previous\`, which are values for the query
parameter \`next\`. Reading all pages gives every row once, even if rows are added meanwhile. \`total\` counts to a thousand;
\`extra.totalIs\` is \`at-least\` if there are more.

**Changes.** Create and update answer 303 with \`Location\`, and with the resource as body. With the header
\`Prefer: return=representation\` they answer 200 with the same body, and \`Content-Location\`. A resource that exists already
is refused with 422 and its \`id\`. Bodies are strict: an unknown field is refused.

An update takes the document that a read gives: fields that are only read are passed over.

**Concurrent changes.** Reads of a resource with an \`ETag\`, and answers to its updates, name its version. Send it as
\`If-Match\` with an update: the update is refused with 412 if somebody else has changed the resource since. Updates of
other resources, such as photos and invoices, take no \`If-Match\` and pass over it.

**Other pages.** There are no CORS headers: pages of other sites cannot read answers. Tokens and API keys give more than a page
should hold, and sessions are for pages of this cloud; call from a server.

**Refusals** have \`exception.message\`, \`messages\` with all mistakes in English, and \`codes\` with the same for programs: a
\`code\`, the \`path\` of the field (empty: it is about the whole call) and the \`params\` of the code. There will be more codes: show
the message of a code that you do not know. A row of another customer is 404, as if it did not exist. A path with another
method answers 405, with the methods in \`Allow\`.

**Idempotency.** A changing call may have the header \`Idempotency-Key\`. The same call with the same key within a day is
executed once and gets the same answer. 409: the first call is running, or was interrupted; check its outcome before you use
another key.

**Deadlines.** A changing call may have the header \`Deadline\`, a time by the clock of the cloud, which the header \`Date\` of
its answers has. A call that arrives later, because a network kept it, is refused with 409 and not begun. Programs that move
gates for people should send it.

**Webhooks** (\`/webhooks\`) send events about visits, invoices, payments, photos, quotas and devices to other systems, signed as
defined by Standard Webhooks, in order and at least once. \`GET /webhooks/events\` lists the same events for polling.

**Deprecated.** \`/whitelist\` is the older name of \`/visit/whitelist\`; its answers have a \`Deprecation\` header.`;

/** The document as it is checked in. */
export function openApiText(app: OpenAPIHono<CloudEnv>): string {
  return `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
}

/**
 * Describes a schema that is named elsewhere or null. The generator writes `allOf` of the reference and a
 * type with null, which nothing that is null can satisfy.
 */
export function nullableReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullableReferences);
  if (!isObject(value)) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, nullableReferences(field)]),
  );
  const { allOf, ...rest } = fields;
  if (!Array.isArray(allOf) || allOf.length !== 2) return fields;
  const [reference, more]: unknown[] = allOf;
  if (!isObject(reference) || !isObject(more) || typeof reference['$ref'] !== 'string') return fields;
  const { type, ...others } = more;
  if (!Array.isArray(type) || !type.includes('null')) return fields;
  return { ...rest, ...others, anyOf: [reference, { type: 'null' }] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
